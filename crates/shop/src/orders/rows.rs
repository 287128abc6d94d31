//! Rows of orders and of their lines, whose amounts become money of the row's currencies.

use platform::db::{Json, Record};
use platform::{Currency, ExchangeRate, Language, MinorUnits, Timestamp};

use super::{BaseAmounts, Order, OrderGiftCard, OrderId, OrderLine, OrderNumber, OrderStatus};
use crate::addresses::StoredParts;
use crate::catalog::{ChosenOptions, ProductId, VariantId};
use crate::delivery::OrderDelivery;
use crate::gift_cards::GiftCardId;
use crate::pricing::{Adjustment, AdjustmentKind, TaxLine};
use crate::taxes::TaxPercent;

/// The columns of an `OrderRow`, without its status.
pub(super) const ORDER: &str = "id, number, customer, email, name, phone, address, postal_address, currency,
    exchange_rate, language,
    sub_total, discount, shipping, vat, total, credit, created_at, base_currency, base_sub_total, base_discount,
    base_shipping, base_vat, base_total, base_credit, base_gift_cards, gift_cards, delivery, payment_fee,
    base_payment_fee, has_taxes, tax_number";

#[derive(sqlx::FromRow)]
pub(super) struct OrderRow {
    pub id: OrderId,
    #[sqlx(try_from = "String")]
    number: OrderNumber,
    customer: String,
    email: String,
    name: String,
    phone: String,
    address: String,
    postal_address: Option<Json<StoredParts>>,
    #[sqlx(try_from = "String")]
    currency: Currency,
    exchange_rate: ExchangeRate,
    language: Option<Language>,
    sub_total: MinorUnits,
    pub discount: MinorUnits,
    shipping: MinorUnits,
    vat: MinorUnits,
    total: MinorUnits,
    credit: MinorUnits,
    pub created_at: Timestamp,
    #[sqlx(try_from = "String")]
    base_currency: Currency,
    base_sub_total: MinorUnits,
    base_discount: MinorUnits,
    base_shipping: MinorUnits,
    base_vat: MinorUnits,
    base_total: MinorUnits,
    base_credit: MinorUnits,
    base_gift_cards: MinorUnits,
    pub gift_cards: MinorUnits,
    delivery: Option<Json<OrderDelivery>>,
    payment_fee: MinorUnits,
    base_payment_fee: MinorUnits,
    pub has_taxes: bool,
    tax_number: String,
    #[sqlx(try_from = "String")]
    status: OrderStatus,
}

impl OrderRow {
    pub fn order(
        self,
        lines: Vec<LineRow>,
        adjustments: Vec<AdjustmentRow>,
        taxes: Vec<TaxRow>,
        gift_cards: Vec<GiftCardRow>,
    ) -> (Order, OrderStatus) {
        let (currency, base) = (self.currency, self.base_currency);
        let base_amounts = BaseAmounts {
            currency: base,
            rate: self.exchange_rate,
            sub_total: self.base_sub_total.of(base),
            discount: self.base_discount.of(base),
            shipping: self.base_shipping.of(base),
            payment_fee: self.base_payment_fee.of(base),
            vat: self.base_vat.of(base),
            total: self.base_total.of(base),
            gift_cards: self.base_gift_cards.of(base),
            credit: self.base_credit.of(base),
        };
        let order = Order {
            id: self.id,
            number: self.number,
            customer: self.customer,
            email: self.email,
            name: self.name,
            phone: self.phone,
            address: self.address,
            postal_address: self.postal_address,
            currency,
            base: base_amounts,
            language: self.language,
            sub_total: self.sub_total.of(currency),
            adjustments: adjustments.into_iter().map(|row| row.adjustment(currency)).collect(),
            discount: self.discount.of(currency),
            shipping: self.shipping.of(currency),
            delivery: self.delivery,
            payment_fee: self.payment_fee.of(currency),
            vat: self.vat.of(currency),
            taxes: taxes.into_iter().map(|row| row.tax(currency)).collect(),
            tax_number: self.tax_number,
            total: self.total.of(currency),
            gift_cards: gift_cards.into_iter().map(|row| row.gift_card(currency, base)).collect(),
            credit: self.credit.of(currency),
            created_at: self.created_at,
            lines: lines.into_iter().map(|line| line.line(currency, base)).collect(),
        };
        (order, self.status)
    }
}

/// A row that belongs to an order, of which an order may have several.
pub(super) trait RowOfOrder: Record {
    /// Its columns besides the order, and its table.
    const COLUMNS: &str;

    fn order(&self) -> &OrderId;
}

macro_rules! row_of_order {
    ($row:ident, $columns:literal) => {
        impl RowOfOrder for $row {
            const COLUMNS: &str = $columns;

            fn order(&self) -> &OrderId {
                &self.order_id
            }
        }
    };
}

row_of_order!(
    LineRow,
    "variant, product, options, name, sku, picture, price, quantity, total, base_total
     from order_lines"
);
row_of_order!(
    AdjustmentRow,
    "kind, label, amount, variant, promotion, code from order_adjustments"
);
row_of_order!(TaxRow, "label, percent, variant, net, amount, included, relief from order_taxes");
row_of_order!(GiftCardRow, "card, last_four, amount, base_amount from order_gift_cards");

#[derive(sqlx::FromRow)]
pub(super) struct LineRow {
    order_id: OrderId,
    variant: VariantId,
    product: ProductId,
    options: Json<ChosenOptions>,
    name: String,
    sku: String,
    picture: String,
    price: MinorUnits,
    quantity: i64,
    total: MinorUnits,
    base_total: MinorUnits,
}

impl LineRow {
    pub fn line(self, currency: Currency, base: Currency) -> OrderLine {
        OrderLine {
            variant: self.variant,
            product: self.product,
            options: self.options,
            name: self.name,
            sku: self.sku,
            picture: self.picture,
            price: self.price.of(currency),
            quantity: self.quantity,
            total: self.total.of(currency),
            base_total: self.base_total.of(base),
        }
    }
}

#[derive(sqlx::FromRow)]
pub(super) struct AdjustmentRow {
    order_id: OrderId,
    #[sqlx(try_from = "String")]
    kind: AdjustmentKind,
    label: String,
    amount: MinorUnits,
    variant: Option<VariantId>,
    /// Empty where it is the relief of a tax.
    promotion: String,
    code: String,
}

impl AdjustmentRow {
    fn adjustment(self, currency: Currency) -> Adjustment {
        Adjustment {
            kind: self.kind,
            label: self.label,
            amount: self.amount.of(currency),
            line: self.variant,
            promotion: self.promotion.parse().ok(),
            code: self.code.parse().ok(),
        }
    }
}

#[derive(sqlx::FromRow)]
pub(super) struct TaxRow {
    order_id: OrderId,
    label: String,
    percent: i64,
    variant: Option<VariantId>,
    net: MinorUnits,
    amount: MinorUnits,
    included: bool,
    relief: String,
}

impl TaxRow {
    fn tax(self, currency: Currency) -> TaxLine {
        TaxLine {
            label: self.label,
            percent: TaxPercent::from_thousandths(self.percent),
            line: self.variant,
            net: self.net.of(currency),
            amount: self.amount.of(currency),
            included: self.included,
            relief: self.relief.parse().ok(),
        }
    }
}

#[derive(sqlx::FromRow)]
pub(super) struct GiftCardRow {
    order_id: OrderId,
    card: GiftCardId,
    last_four: String,
    amount: MinorUnits,
    base_amount: MinorUnits,
}

impl GiftCardRow {
    fn gift_card(self, currency: Currency, base: Currency) -> OrderGiftCard {
        OrderGiftCard {
            card: self.card,
            last_four: self.last_four,
            amount: self.amount.of(currency),
            base_amount: self.base_amount.of(base),
        }
    }
}
