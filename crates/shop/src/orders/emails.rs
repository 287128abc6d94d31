//! E-mails to customers about their orders.

use std::sync::Arc;

use email::sms::TextMessage;
use email::sms_limits::SmsLimits;
use email::{Email, EmailBody};
use messages::{Args, Messages, format};
use platform::{EmailAddress, Language, Money};

use super::guests::is_e164;
use super::{Order, OrderEmails, OrderLine, OrderStatus, RefundSplit, TaxRows};
use crate::shop_profiles::ShopProfiles;

/// Builds the e-mails about orders.
#[derive(Clone, Debug)]
pub struct OrderEmailSender {
    pub profiles: Arc<ShopProfiles>,
    /// The shop's public URL; without it e-mails have neither button nor pictures.
    pub origin: Option<Arc<str>>,
    /// Which notices the shop itself gets.
    pub order_emails: OrderEmails,
    /// Of text messages to customers without an e-mail address; none in a shop that sends none.
    pub sms_limits: Option<SmsLimits>,
}

/// What an e-mail about an order depends on, besides the order.
#[derive(Clone, Debug)]
pub struct OrderUpdate {
    /// The previous status.
    pub from: Option<OrderStatus>,
    pub status: OrderStatus,
    /// The amount refunded by this step.
    pub back: RefundSplit,
    /// Whether the address is verified. E-mails to other addresses repeat no input, because a stranger
    /// may have typed them.
    pub verified: bool,
    /// Whether nothing is left to pay.
    pub is_paid: bool,
    /// Hours until the order is cancelled unless the address is confirmed.
    pub cancelled_in_hours: Option<u64>,
    /// The note of whoever did the step, which a customer may be.
    pub note: String,
}

/// The messages of subject, heading and first paragraph.
type Opening = [&'static str; 3];

impl OrderUpdate {
    /// `None` for steps without an e-mail. A guest has no address to confirm.
    fn opening(&self, is_guest: bool) -> Option<Opening> {
        let returned = self.from == Some(OrderStatus::ReturnRequested);
        Some(match self.status {
            OrderStatus::Placed if self.cancelled_in_hours.is_some() && !is_guest => [
                "email.orderUnconfirmedSubject",
                "email.orderPlacedHeading",
                "email.orderPlacedIntro",
            ],
            OrderStatus::Placed => {
                ["email.orderPlacedSubject", "email.orderPlacedHeading", "email.orderPlacedIntro"]
            }
            OrderStatus::Shipped => [
                "email.orderShippedSubject",
                "email.orderShippedHeading",
                "email.orderShippedIntro",
            ],
            OrderStatus::Delivered | OrderStatus::PartlyRefunded if returned => [
                "email.returnRefusedSubject",
                "email.returnRefusedHeading",
                "email.returnRefusedIntro",
            ],
            OrderStatus::Delivered => [
                "email.orderDeliveredSubject",
                "email.orderDeliveredHeading",
                "email.orderDeliveredIntro",
            ],
            OrderStatus::Cancelled if self.from == Some(OrderStatus::AwaitingPayment) => [
                "email.orderCancelledSubject",
                "email.orderCancelledHeading",
                "email.orderUnpaidIntro",
            ],
            OrderStatus::Cancelled => [
                "email.orderCancelledSubject",
                "email.orderCancelledHeading",
                "email.orderCancelledIntro",
            ],
            OrderStatus::Refunded => [
                "email.orderRefundedSubject",
                "email.orderRefundedHeading",
                "email.returnRefundedIntro",
            ],
            OrderStatus::PartlyRefunded => [
                "email.returnRefundedSubject",
                "email.returnRefundedHeading",
                "email.returnRefundedIntro",
            ],
            _ => return None,
        })
    }
}

impl OrderEmailSender {
    /// The shop's own mailbox.
    pub(super) fn shop_email(&self) -> Option<EmailAddress> {
        EmailAddress::parse(&self.profiles.of(self.profiles.default_language()).email)
    }

    /// The language to write to the customer in.
    pub(super) fn language(&self, order: &Order) -> Language {
        self.profiles.language(order.language)
    }

    /// The e-mail about an order's new status and the `returned` lines; `None` for steps without one.
    pub fn status_email(
        &self,
        order: &Order,
        update: &OrderUpdate,
        returned: &[OrderLine],
    ) -> Option<Email> {
        let [subject, heading, intro] = update.opening(order.is_guest())?;
        let language = self.language(order);
        let Order { number, name, address, .. } = order;
        let text = |key, args: Args<'_>| Messages::text(language, key, args);
        let greeting = match update.verified {
            true => text("email.greeting", &[("name", name)]),
            false => text("email.greetingUnverified", &[]),
        };
        let mut paragraphs = vec![text(intro, &[("greeting", &greeting), ("number", number)])];
        if !returned.is_empty() {
            let lines: Vec<String> = returned.iter().map(|one| line(one, language)).collect();
            paragraphs.push(text("email.orderLines", &[("lines", &lines.join("\n"))]));
        }
        paragraphs.extend(refund_text(update.back, language));
        if update.verified && matches!(update.status, OrderStatus::Placed | OrderStatus::Shipped) {
            paragraphs.push(text("email.orderAddress", &[("address", address)]));
        }
        let pickup = order.delivery.as_ref().and_then(|delivery| delivery.pickup.as_ref());
        if let Some(pickup) = pickup.filter(|_| update.status == OrderStatus::Placed) {
            let place = [pickup.address.as_str(), &pickup.hours].join("\n");
            paragraphs.push(text("email.orderPickup", &[("place", &place.trim_end())]));
        }
        // Only the shop ships, delivers, and answers a requested return.
        let by_shop = matches!(update.status, OrderStatus::Shipped | OrderStatus::Delivered)
            || update.from == Some(OrderStatus::ReturnRequested);
        if by_shop && !update.note.is_empty() {
            paragraphs.push(text("email.orderNote", &[("note", &update.note)]));
        }
        if let Some(hours) = update.cancelled_in_hours.filter(|_| order.is_guest()) {
            paragraphs.push(text("email.orderUnconfirmedGuest", &[("hours", &hours)]));
        } else if let Some(hours) = update.cancelled_in_hours {
            let verify = text("email.verifySubject", &[]);
            let args: Args<'_> = &[("subject", &verify), ("hours", &hours)];
            paragraphs.push(text("email.orderUnconfirmed", args));
        }
        let link = self.tracking_link(language, order);
        let body = EmailBody {
            language,
            shop: self.profiles.of(language).shop_name.clone(),
            heading: text(heading, &[]),
            paragraphs,
            button: link.map(|link| (text("email.orderButton", &[]), link)),
            footnote: text("email.orderFootnote", &[]),
        };
        // An anonymized order has no address.
        let to = EmailAddress::parse(&order.email)?;
        let email = body.into_email(&to, &text(subject, &[("number", number)]));
        let pictures = pictures(order, self.origin.as_deref());
        let is_over = update.status == OrderStatus::Cancelled || update.is_paid;
        let totals = vec![lines(order, language), totals(order, language, !is_over)];
        Some(Email { totals, pictures, ..email })
    }

    /// The text message about an order's new status, for a customer without an e-mail address. It repeats no input.
    pub fn status_text(&self, order: &Order, update: &OrderUpdate) -> Option<TextMessage> {
        let can_text =
            self.sms_limits.as_ref().is_some_and(|limits| limits.has_country(&order.phone));
        if !can_text || !order.email.is_empty() || !is_e164(&order.phone) {
            return None;
        }
        let [subject, ..] = update.opening(order.is_guest())?;
        let language = self.language(order);
        let (shop, number) = (&self.profiles.of(language).shop_name, &order.number);
        let text = if update.status == OrderStatus::Placed {
            let amount = format::money(language, order.to_pay());
            let args: Args<'_> = &[("shop", shop), ("number", number), ("amount", &amount)];
            Messages::text(language, "sms.orderPlaced", args)
        } else {
            let subject = Messages::text(language, subject, &[("number", number)]);
            Messages::text(language, "sms.orderChanged", &[("shop", shop), ("subject", &subject)])
        };
        let link = self.tracking_link(language, order);
        let text = link.map_or(text.clone(), |link| format!("{text} {link}"));
        Some(TextMessage { to: order.phone.clone(), text })
    }

    /// The page with the order's status; none where the shop's address is not known.
    fn tracking_link(&self, language: Language, order: &Order) -> Option<String> {
        let path = self.profiles.localize(language, &format!("/track?number={}", order.number));
        self.origin.as_ref().map(|origin| format!("{origin}{path}"))
    }
}

/// URLs of the lines' thumbnails; empty when no line has a picture.
pub(super) fn pictures(order: &Order, origin: Option<&str>) -> Vec<String> {
    let Some(origin) = origin else { return Vec::new() };
    let picture = |OrderLine { picture, .. }: &OrderLine| {
        let id = media::id_in_url(picture);
        id.map_or_else(String::new, |id| format!("{origin}/media/{id}/160.jpg"))
    };
    let pictures: Vec<String> = order.lines.iter().map(picture).collect();
    if pictures.iter().all(String::is_empty) { Vec::new() } else { pictures }
}

fn line(line: &OrderLine, language: Language) -> String {
    format!("{} × {}", format::digits(language, line.quantity), line.title())
}

pub(super) fn lines(order: &Order, language: Language) -> Vec<(String, String)> {
    let amount = |line: &OrderLine| format::money(language, line.total);
    order.lines.iter().map(|one| (line(one, language), amount(one))).collect()
}

/// `shows_rest`: whether it says what is left to pay, where gift cards or store credit have paid a part.
pub(super) fn totals(order: &Order, language: Language, shows_rest: bool) -> Vec<(String, String)> {
    let shown = |amount| format::money(language, amount);
    let less = |amount| format!("−{}", shown(amount));
    let named = |key, amount| (Messages::text(language, key, &[]), amount);
    let mut totals = vec![named("server.subTotal", shown(order.sub_total))];
    let discounts = order.discounts(language).into_iter();
    totals.extend(discounts.map(|(label, amount)| (label, less(-amount))));
    totals.push((order.shipping_label(language), shown(order.shipping)));
    if !order.payment_fee.is_zero() {
        totals.push(named("server.cashOnDelivery", shown(order.payment_fee)));
    }
    let TaxRows { added, included } = order.tax_rows(language);
    let tax = |(name, amount): (String, Money)| (name, shown(amount));
    totals.extend(added.into_iter().map(tax));
    totals.push(named("server.total", shown(order.total)));
    totals.extend(included.into_iter().map(tax));
    let gift_card = Messages::text(language, "server.giftCard", &[]);
    let cards = order.gift_cards.iter();
    totals.extend(cards.map(|card| (format!("{gift_card} {}", card.masked()), less(card.amount))));
    if order.credit.is_positive() {
        totals.push(named("server.storeCredit", less(order.credit)));
    }
    if order.has_tender() && shows_rest {
        totals.push(named("server.toPay", shown(order.to_pay())));
    }
    totals
}

/// How the refund is paid.
fn refund_text(back: RefundSplit, language: Language) -> Option<String> {
    let sentence = |key, amount: Money| {
        let shown = format::money(language, amount);
        amount.is_positive().then(|| Messages::text(language, key, &[("amount", &shown)]))
    };
    let gift_cards = sentence("email.refundGiftCard", back.gift_cards);
    let credit = sentence("email.refundCredit", back.credit);
    let paid = sentence("email.refundPaid", back.paid);
    let parts: Vec<String> = [gift_cards, credit, paid].into_iter().flatten().collect();
    (!parts.is_empty()).then(|| parts.join(" "))
}
