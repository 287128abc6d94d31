//! The calls that place an order, the specification's and our own: parsed into the same placing.

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::{Extension, Json};
use base::auth::Caller;
use base::error::{ErrorBody, ErrorDetail, Field, RequestId};
use base::http::{Peer, Sent, whole_number};
use base::{Currency, Error, Money, Result};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::{Asked, Changed, Outcome, Placing};
use crate::catalog::ProductId;
use crate::customers::Proof;
use crate::forms::{self, LONGEST_ADDRESS, LONGEST_RECIPIENT};
use crate::orders::{Order, Orders, SpecifiedOrder};
use crate::payments::{self, Provider};
use crate::quote::{Cart, CartLine, Quote};
use crate::schemas;

const LONGEST_KEY: usize = 128;
const KEY: &str = "idempotency-key";

pub fn router() -> OpenApiRouter<Orders> {
    OpenApiRouter::new().routes(routes!(place_as_specified)).routes(routes!(place))
}

/// An order in the specification's words. Other fields are not looked at: the shop sets the prices.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct SpecifiedPlacing {
    #[schema(schema_with = schemas::recipient)]
    firstname: String,
    /// The caller's own.
    email: String,
    #[schema(schema_with = schemas::phone)]
    phone: String,
    #[schema(schema_with = schemas::address)]
    address: String,
    /// Cart items, of which `_id` and `qtn` count; or lists of them.
    #[schema(schema_with = schemas::specified_items)]
    get_state: Vec<Value>,
    /// What the shopper was shown; another total is a 409.
    #[schema(schema_with = schemas::total)]
    grand_price: Money,
}

#[derive(Deserialize)]
struct SentItem {
    #[serde(rename = "_id")]
    id: ProductId,
    #[serde(deserialize_with = "whole_number")]
    qtn: i64,
}

impl SpecifiedPlacing {
    fn parse(self, caller: &Caller, key: Option<String>) -> Result<Placing> {
        if !caller.owns(self.email.trim()) {
            return Err(Error::Forbidden("This is not your address."));
        }
        let items = self.get_state.into_iter().flat_map(|entry| match entry {
            Value::Array(items) => items,
            item => vec![item],
        });
        let mut lines = Vec::new();
        let mut faults = Faults::default();
        for (place, item) in items.enumerate() {
            match serde_json::from_value::<SentItem>(item) {
                Ok(SentItem { id, qtn }) => lines.push(CartLine { id, qtn }),
                Err(why) => {
                    faults.wrong.push(field(format!("getState.{place}"), why.to_string()));
                }
            }
        }
        let Self { firstname, phone, address, grand_price, .. } = self;
        let new = NewOrder {
            name: firstname,
            phone,
            address,
            lines,
            total: grand_price,
            currency: Currency::Usd,
            payment: Provider::CashOnDelivery,
            credit: Money::ZERO,
        };
        let names = [("name", "firstname"), ("total", "grandPrice"), ("lines", "getState")];
        new.parse(caller, key, faults).map_err(|why| renamed(why, &names))
    }
}

/// An order to be placed. Unknown fields are refused, so that nothing that was meant is passed over.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct NewOrder {
    #[schema(schema_with = schemas::recipient)]
    name: String,
    #[schema(schema_with = schemas::phone)]
    phone: String,
    #[schema(schema_with = schemas::address)]
    address: String,
    /// At most 100.
    #[schema(min_items = 1, max_items = 100)]
    lines: Vec<CartLine>,
    /// What the shopper was shown, in US dollars; another total is a 409.
    #[schema(schema_with = schemas::total)]
    total: Money,
    /// What the shopper was shown the prices in.
    #[serde(default)]
    #[schema(required = false)]
    currency: Currency,
    #[serde(default = "cash")]
    #[schema(required = false)]
    payment: Provider,
    /// What of the total is to be paid with store credit, as the shopper was shown it. Where that is all
    /// of it, nothing else is charged, whatever `payment` says.
    #[serde(default)]
    #[schema(schema_with = schemas::credit, required = false)]
    credit: Money,
}

fn cash() -> Provider {
    Provider::CashOnDelivery
}

impl NewOrder {
    /// With the faults that were found before; says all at once what is wrong.
    fn parse(self, caller: &Caller, key: Option<String>, mut faults: Faults) -> Result<Placing> {
        let name = faults.kept(forms::line("name", &self.name, LONGEST_RECIPIENT));
        let phone = faults.kept(forms::phone(&self.phone));
        let address = faults.kept(forms::lines("address", &self.address, LONGEST_ADDRESS));
        if self.lines.is_empty() && faults.wrong.is_empty() {
            faults.wrong.push(field("lines", "the cart is empty"));
        }
        let lines = faults.kept(Cart { lines: self.lines }.parse());
        if self.total < Money::ZERO {
            faults.wrong.push(field("total", "must not be negative"));
        }
        let spends = self.credit > Money::ZERO;
        if self.credit < Money::ZERO {
            faults.wrong.push(field("credit", "from nothing to the total"));
        }
        if spends && self.credit > self.total {
            faults.together.push(field("credit", "from nothing to the total"));
        }
        let covered = spends && self.credit == self.total;
        let payment = if covered { Provider::StoreCredit } else { self.payment };
        match payment {
            Provider::StoreCredit if !covered => {
                faults.together.push(field("payment", "store credit does not pay all of it"));
            }
            payment if payment.payment().is_none() => {
                faults.kept(Err::<(), _>(payments::unavailable(payment)));
            }
            _ => {}
        }
        match (name, phone, address, lines) {
            (Some(name), Some(phone), Some(address), Some(lines)) if faults.is_empty() => {
                Ok(Placing {
                    customer: caller.uid.clone(),
                    email: caller.email.to_lowercase(),
                    proof: Proof::of(caller),
                    peer: None,
                    key,
                    asked: Asked {
                        name,
                        phone,
                        address,
                        lines: lines.into_iter().map(|wanted| (wanted.id, wanted.qtn)).collect(),
                        total: self.total,
                        currency: self.currency,
                        payment,
                        credit: self.credit,
                    },
                })
            }
            _ => Err(faults.into()),
        }
    }
}

fn field(name: impl Into<std::borrow::Cow<'static, str>>, message: impl Into<String>) -> Field {
    Field { name: name.into(), message: message.into() }
}

/// What is to be said about an order.
#[derive(Default)]
struct Faults {
    /// Wrong in itself.
    wrong: Vec<Field>,
    /// Good in itself, but not with the rest, or not in this shop.
    together: Vec<Field>,
}

impl Faults {
    fn is_empty(&self) -> bool {
        self.wrong.is_empty() && self.together.is_empty()
    }

    /// What was parsed; or its fields among the faults.
    fn kept<T>(&mut self, parsed: Result<T>) -> Option<T> {
        match parsed {
            Ok(parsed) => return Some(parsed),
            Err(Error::Invalid { fields, .. }) => self.wrong.extend(fields),
            Err(Error::Unprocessable { fields, .. }) => self.together.extend(fields),
            Err(why) => self.wrong.push(field("body", why.message())),
        }
        None
    }
}

impl From<Faults> for Error {
    fn from(Faults { wrong, together }: Faults) -> Self {
        let unprocessable = wrong.is_empty();
        let fields: Vec<Field> = wrong.into_iter().chain(together).collect();
        let said = fields.iter().take(5).map(|field| format!("{}: {}", field.name, field.message));
        let message = said.collect::<Vec<_>>().join("; ");
        match unprocessable {
            true => Self::Unprocessable { message, fields },
            false => Self::Invalid { message, fields },
        }
    }
}

/// The same refusal in the names that the caller used.
fn renamed(why: Error, names: &[(&str, &'static str)]) -> Error {
    let mut faults = match why {
        Error::Invalid { fields, .. } => Faults { wrong: fields, together: vec![] },
        Error::Unprocessable { fields, .. } => Faults { wrong: vec![], together: fields },
        why => return why,
    };
    for field in faults.wrong.iter_mut().chain(&mut faults.together) {
        for (ours, theirs) in names {
            if let Some(rest) = field.name.strip_prefix(ours) {
                field.name = format!("{theirs}{rest}").into();
                break;
            }
        }
    }
    faults.into()
}

fn key(headers: &HeaderMap) -> Result<Option<String>> {
    let mut sent = headers.get_all(KEY).iter();
    let Some(first) = sent.next() else { return Ok(None) };
    let visible = |text: &&str| {
        (1..=LONGEST_KEY).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_graphic())
    };
    match first.to_str().ok().filter(visible) {
        Some(key) if sent.next().is_none() => Ok(Some(key.to_owned())),
        _ => {
            let message = format!("one key of 1 to {LONGEST_KEY} visible characters");
            Err(Error::invalid("Idempotency-Key", message))
        }
    }
}

/// What a cart that is not what it was is answered.
#[derive(Serialize, ToSchema)]
pub struct ChangedCart {
    /// The code is `stock`, `price`, `gone` or `credit`.
    error: ErrorDetail,
    /// What the cart is and costs now.
    quote: Quote,
}

fn changed(changed: Changed, quote: Quote) -> Response {
    let short = quote.lines.iter().enumerate().filter(|(_, line)| line.change.is_some());
    let error = ErrorDetail {
        code: changed.code(),
        message: changed.message(&quote),
        fields: short
            .map(|(place, line)| {
                field(format!("lines.{place}"), format!("{} can be had", line.stock))
            })
            .collect(),
        request_id: RequestId::current().map(|id| id.to_string()),
    };
    (StatusCode::CONFLICT, Json(ChangedCart { error, quote })).into_response()
}

async fn answer<T: Serialize>(
    orders: &Orders,
    placing: Placing,
    peer: Option<Extension<Peer>>,
    body: impl FnOnce(Order) -> T,
) -> Result<Response> {
    let placing = Placing { peer: peer.map(|Extension(peer)| peer), ..placing };
    Ok(match orders.place(&placing).await? {
        Outcome::Placed(order) => (StatusCode::CREATED, Json(body(order))).into_response(),
        Outcome::Before(order) => Json(body(order)).into_response(),
        Outcome::Changed(what, quote) => changed(what, quote),
        Outcome::KeyReused => {
            return Err(Error::Refused {
                status: StatusCode::UNPROCESSABLE_ENTITY,
                code: "idempotency_key_reused",
                message: "This Idempotency-Key has placed another order already.".into(),
            });
        }
    })
}

/// Place an order, in the specification's words
#[utoipa::path(
    post, path = "/order", tag = "Orders", request_body = SpecifiedPlacing,
    params(("Idempotency-Key" = Option<String>, Header, pattern = "^[!-~]{1,128}$",
        description = "The same key and body give the same order, whatever happened to the first answer")),
    security(("accessToken" = [])),
    responses(
        (status = 201, description = "Wants the shop's access token as Bearer", body = SpecifiedOrder),
        (status = 200, description = "The order that the key placed before", body = SpecifiedOrder),
        (status = 400, body = ErrorBody),
        (status = 401, body = ErrorBody),
        (status = 403, description = "The address is not the caller's own; or one of the refusals of \
         unpaid orders that `POST /orders` has", body = ErrorBody),
        (status = 409, description = "Nothing was placed: too little stock, another total, or a \
         product that is gone", body = ChangedCart),
        (status = 422, description = "The key has placed another order, or the parts of this one do not fit \
         together", body = ErrorBody),
        (status = 429, description = "Too many orders in an hour", body = ErrorBody),
    )
)]
async fn place_as_specified(
    State(orders): State<Orders>,
    caller: Caller,
    peer: Option<Extension<Peer>>,
    headers: HeaderMap,
    Sent(sent): Sent<SpecifiedPlacing>,
) -> Result<Response> {
    let placing = sent.parse(&caller, key(&headers)?)?;
    answer(&orders, placing, peer, SpecifiedOrder::from).await
}

/// Place an order
#[utoipa::path(
    post, path = "/orders", tag = "Orders", request_body = NewOrder,
    params(("Idempotency-Key" = Option<String>, Header, pattern = "^[!-~]{1,128}$",
        description = "The same key and body give the same order, whatever happened to the first answer")),
    security(("accessToken" = [])),
    responses(
        (status = 201, description = "Wants the shop's access token as Bearer", body = Order),
        (status = 200, description = "The order that the key placed before", body = Order),
        (status = 400, body = ErrorBody),
        (status = 401, body = ErrorBody),
        (status = 403, description = "What is not paid is limited. `unproven`: the e-mail address or a \
         phone number must be proven first; `too_many_unpaid`, `too_much_unpaid`: with this order the \
         customer's unpaid ones would hold too many items, or come to too much", body = ErrorBody),
        (status = 409, description = "Nothing was placed: too little stock, another total, a product \
         that is gone, or less store credit than was to be spent", body = ChangedCart),
        (status = 422, description = "The key has placed another order, or the parts of this one do not fit \
         together", body = ErrorBody),
        (status = 429, description = "Too many orders in an hour", body = ErrorBody),
    )
)]
async fn place(
    State(orders): State<Orders>,
    caller: Caller,
    peer: Option<Extension<Peer>>,
    headers: HeaderMap,
    Sent(sent): Sent<NewOrder>,
) -> Result<Response> {
    let placing = sent.parse(&caller, key(&headers)?, Faults::default())?;
    answer(&orders, placing, peer, |order| order).await
}
