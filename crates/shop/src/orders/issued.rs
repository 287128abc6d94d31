//! Issued invoices and credit notes: their numbers, which have no gaps, and what they say about the shop (decision 035). A
//! document is added in the transaction of its step and never changed.

use platform::db::{Json, is_unique_violation};
use platform::{Db, Error, Language, Result, Timestamp, Tx};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::invoice::{InvoiceForm, Seller};
use super::plan::StepPlan;
use super::{OrderId, OrderStatus, OrderStore};
use crate::payments::PaymentAction;
use crate::string_enum::string_enum;

string_enum! {
    pub enum DocumentKind {
        Invoice = "invoice",
        CreditNote = "credit_note",
    }
}

/// An invoice or a credit note that is issued.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema, sqlx::FromRow)]
#[serde(rename_all = "camelCase")]
pub struct IssuedDocument {
    #[sqlx(try_from = "String")]
    pub kind: DocumentKind,
    /// As it is printed.
    #[sqlx(rename = "written")]
    pub number: String,
    pub issued_at: Timestamp,
    /// Index of the return that a credit note is for.
    #[serde(skip)]
    pub return_place: i64,
    /// Missing for documents of earlier versions.
    #[serde(skip)]
    pub(super) terms: Option<Json<IssueTerms>>,
}

/// What a document says about the shop, as of its issue.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct IssueTerms {
    /// In the shop's languages, the default one first.
    pub sellers: Vec<(Language, Seller)>,
    pub form: InvoiceForm,
    pub signatory: String,
    /// How many minutes the shop's clocks were ahead of UTC.
    pub minutes_ahead: i16,
}

impl IssueTerms {
    pub fn seller(&self, language: Language) -> Option<&Seller> {
        let translated = self.sellers.iter().find(|(one, _)| *one == language);
        translated.or(self.sellers.first()).map(|(_, seller)| seller)
    }
}

impl IssuedDocument {
    /// The time whose fields in UTC are those of the shop's clocks at the issue.
    pub(super) fn local_time(&self) -> Timestamp {
        let minutes = self.terms.as_ref().map_or(0, |terms| terms.minutes_ahead);
        ahead(self.issued_at, minutes)
    }
}

fn ahead(time: Timestamp, minutes: i16) -> Timestamp {
    Timestamp(time.0.saturating_add(i64::from(minutes) * 60_000))
}

/// The issued documents of an order: the invoice, and the credit notes in the order of their returns.
pub(super) async fn of_order(db: &Db, order: &OrderId) -> Result<Vec<IssuedDocument>> {
    db.query(
        "select kind, written, issued_at, return_place, terms from invoices
         where order_id = $1 order by case kind when 'invoice' then 0 else 1 end, return_place",
    )
    .bind(order)
    .all()
    .await
}

impl OrderStore {
    /// Issues the documents of a step, in its transaction: the invoice when the goods are shipped or paid, whichever is
    /// first, and a credit note for a refund. The series is locked until the commit, so this comes after everything that
    /// may wait or fail.
    pub(super) async fn issue_documents(
        &self,
        tx: &mut Tx,
        plan: &StepPlan<'_>,
        now: Timestamp,
    ) -> Result<()> {
        let StepPlan { order, next, .. } = plan;
        let is_supplied = next.to == OrderStatus::Shipped;
        // What is paid in advance is invoiced when it is shipped: until then it can be cancelled.
        let is_collected = next.payment == Some(PaymentAction::Collect);
        let is_refunded = next.refund.is_some();
        if is_supplied || is_collected || is_refunded {
            self.issue(tx, (&order.id, DocumentKind::Invoice, 0), now).await?;
        }
        if is_refunded {
            let place = plan.open.map_or(0, |open| open.place);
            self.issue(tx, (&order.id, DocumentKind::CreditNote, place), now).await?;
        }
        Ok(())
    }

    /// Takes the next number for a document, unless it is issued already. The order's row is locked.
    async fn issue(
        &self,
        tx: &mut Tx,
        (order, kind, return_place): (&OrderId, DocumentKind, i64),
        now: Timestamp,
    ) -> Result<()> {
        let (issued,): (i64,) = tx
            .query(
                "select count(*) from invoices
                 where order_id = $1 and kind = $2 and return_place = $3",
            )
            .bind(order)
            .bind(kind)
            .bind(return_place)
            .one()
            .await?;
        if issued > 0 {
            return Ok(());
        }
        let terms = self.issue_terms(now);
        let format = self.invoices.format(kind);
        let series = format.series(ahead(now, terms.minutes_ahead));
        // Times rise with the numbers, whatever the clocks of several servers say.
        let (number, issued_at): (i64, Timestamp) = tx
            .query(
                "insert into invoice_series (series, last_number, issued_at) values ($1, 1, $2)
                 on conflict (series) do update set last_number = invoice_series.last_number + 1,
                   issued_at = case when invoice_series.issued_at > excluded.issued_at
                     then invoice_series.issued_at else excluded.issued_at end
                 returning last_number, issued_at",
            )
            .bind(series.as_str())
            .bind(now)
            .one()
            .await?;
        let written = format.write(&series, number);
        let inserted = tx
            .query(
                "insert into invoices
                   (order_id, kind, return_place, series, number, written, issued_at, terms)
                 values ($1, $2, $3, $4, $5, $6, $7, $8)",
            )
            .bind(order)
            .bind(kind)
            .bind(return_place)
            .bind(series.as_str())
            .bind(number)
            .bind(written.as_str())
            .bind(issued_at)
            .bind(&Json(terms))
            .execute()
            .await;
        match inserted {
            Err(why) if is_unique_violation(&why, "written") => {
                let setting = match kind {
                    DocumentKind::Invoice => "invoice_number",
                    DocumentKind::CreditNote => "credit_note_number",
                };
                let why = format!("{setting}: another document has the number {written}");
                Err(Error::internal(why))
            }
            result => result.map(drop),
        }
    }

    fn issue_terms(&self, now: Timestamp) -> IssueTerms {
        let profiles = &self.sender.profiles;
        let seller = |language| (language, Seller::from(profiles.of(language)));
        IssueTerms {
            sellers: profiles.languages().map(seller).collect(),
            form: self.invoices.invoice_form.unwrap_or_default(),
            signatory: self.invoices.invoice_signatory.clone().unwrap_or_default(),
            minutes_ahead: self.invoices.time_zone.minutes_ahead(now),
        }
    }
}
