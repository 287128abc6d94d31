//! HTTP API of checkout: the specification's call and our own, parsed into the same `OrderRequest`.

use axum::Json;
use axum::extract::{FromRef, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use platform::auth::Customer;
use platform::error::{ErrorBody, ErrorDetail, ErrorParams, Field, RequestId};
use platform::http::{ClientIp, JsonBody};
use platform::secret::Secret;
use platform::{Amount, Context, Currencies, Currency, Error, Exchange, Language, Result};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::gift_card_recipients::{self, TypedGiftCardRecipient};
use super::guests::{__path_send_phone_code, send_phone_code};
use super::tender::{GiftCardPayment, RequestedTender, Tender};
use super::{CartChange, OrderContent, OrderRequest, PlaceOutcome};
use crate::addresses::{Countries, TypedAddress};
use crate::customers::{Verified, check_owner};
use crate::delivery::MethodId;
use crate::error_responses::BadRequest;
use crate::orders::{self, Guests, Order, OrderStore, Orders, SpecifiedOrder};
use crate::payments::{Gateways, PaymentProvider};
use crate::pricing::{Cart, CartLine, MAX_LINES, Quote};
use crate::schemas;
use crate::settlement::{NextPage, Settlement};
use crate::validation::{self, MAX_ADDRESS_LEN, MAX_RECIPIENT_LEN};

const MAX_KEY_LEN: usize = 128;
const KEY_HEADER: &str = "idempotency-key";

pub fn router<S>() -> OpenApiRouter<S>
where
    S: Clone + Send + Sync + 'static,
    Context: FromRef<S>,
    Orders: FromRef<S>,
    Settlement: FromRef<S>,
{
    OpenApiRouter::new()
        .routes(routes!(place_specified))
        .routes(routes!(place))
        .routes(routes!(send_phone_code))
}

/// An order in the format of the specification. Other fields are ignored: the shop computes the prices.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct SpecifiedOrderRequest {
    #[schema(schema_with = schemas::filled_line::<MAX_RECIPIENT_LEN>)]
    firstname: String,
    /// The caller's own address.
    email: String,
    #[schema(schema_with = schemas::phone)]
    phone: String,
    #[schema(schema_with = schemas::filled_lines::<MAX_ADDRESS_LEN>)]
    address: String,
    /// Cart items, of which `_id` and `qtn` are used; or lists of them.
    #[schema(schema_with = schemas::specified_items::<MAX_LINES>)]
    get_state: Vec<Value>,
    /// The total that the shopper saw; a different one is a 409.
    #[schema(schema_with = schemas::total)]
    grand_price: Amount,
}

/// What a request is checked against.
struct RequestContext<'o> {
    currencies: &'o Currencies,
    countries: &'o Countries,
    guests: &'o Guests,
    secret: &'o Secret,
    gateways: &'o Gateways,
    to: Exchange,
    language: Language,
}

impl<'o> RequestContext<'o> {
    fn new(orders: &'o Orders, to: Exchange, language: Language) -> Self {
        let Orders { currencies, countries, guests, secret, gateways, .. } = orders;
        Self { currencies, countries, guests, secret, gateways, to, language }
    }
}

impl SpecifiedOrderRequest {
    fn parse(
        self,
        caller: &Customer,
        key: Option<String>,
        shop: &RequestContext<'_>,
    ) -> Result<OrderRequest> {
        check_owner(caller, self.email.trim())?;
        let items = self.get_state.into_iter().flat_map(|entry| match entry {
            Value::Array(items) => items,
            item => vec![item],
        });
        let mut lines = Vec::new();
        let mut errors = FieldErrors::default();
        for (place, item) in items.enumerate() {
            match serde_json::from_value::<CartLine>(item) {
                Ok(line) => lines.push(line),
                Err(why) => {
                    let name = format!("getState.{place}");
                    errors.invalid.push(Field::malformed(name, why.to_string()));
                }
            }
        }
        let Self { firstname, phone, address, grand_price, .. } = self;
        let new = NewOrder {
            name: firstname,
            phone,
            address: TypedAddress::Text(address),
            lines,
            total: grand_price,
            currency: None,
            payment: PaymentProvider::CashOnDelivery,
            gift_cards: Vec::new(),
            credit: Amount::ZERO,
            codes: Vec::new(),
            delivery: None,
            email: None,
            phone_code: None,
            gift_card_recipients: Vec::new(),
        };
        let names = [("name", "firstname"), ("total", "grandPrice"), ("lines", "getState")];
        new.parse(Some(caller), key, shop, errors).map_err(|why| rename_fields(why, &names))
    }
}

/// An order to place. Unknown fields are refused, so that a misspelt one is not silently ignored.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct NewOrder {
    #[schema(schema_with = schemas::filled_line::<MAX_RECIPIENT_LEN>)]
    name: String,
    #[schema(schema_with = schemas::phone)]
    phone: String,
    address: TypedAddress,
    /// At most 100.
    #[schema(min_items = 1, max_items = 100)]
    lines: Vec<CartLine>,
    /// The total that the shopper saw; a different one is a 409.
    #[schema(schema_with = schemas::total)]
    total: Amount,
    /// The currency that the shopper saw, of all amounts; that of the request by default.
    #[serde(default)]
    #[schema(required = false)]
    currency: Option<Currency>,
    /// Cash on delivery by default. Its fee is charged where gift cards and store credit leave something to pay.
    #[serde(default)]
    #[schema(required = false)]
    payment: PaymentProvider,
    /// The gift cards to spend first, at most 10, and what each pays of the total.
    #[serde(default, rename = "giftCards")]
    #[schema(max_items = 10, required = false)]
    gift_cards: Vec<GiftCardPayment>,
    /// The part of the total to pay with store credit. When it covers the total, nothing else is
    /// charged and `payment` is ignored.
    #[serde(default)]
    #[schema(schema_with = schemas::credit, required = false)]
    credit: Amount,
    /// Codes of promotions, at most 10.
    #[serde(default)]
    #[schema(max_items = 10, required = false)]
    codes: Vec<String>,
    /// The id of a delivery method; the first one of the destination by default.
    #[serde(default)]
    #[schema(required = false, value_type = Option<String>)]
    delivery: Option<MethodId>,
    /// Of an order without an account; an account has its own.
    #[serde(default)]
    #[schema(required = false, max_length = 254)]
    email: Option<String>,
    /// The code of the text message (`POST /orders/phone-code`), where an order without an account needs one.
    #[serde(default, rename = "phoneCode")]
    #[schema(required = false, max_length = 40)]
    phone_code: Option<String>,
    /// To whom gift cards in the cart are sent, and when. By default to the order's e-mail address, at once.
    #[serde(default, rename = "giftCardRecipients")]
    #[schema(max_items = 100, required = false)]
    gift_card_recipients: Vec<TypedGiftCardRecipient>,
}

impl NewOrder {
    /// Collects all errors, including those found before.
    fn parse(
        self,
        caller: Option<&Customer>,
        key: Option<String>,
        shop: &RequestContext<'_>,
        mut errors: FieldErrors,
    ) -> Result<OrderRequest> {
        let RequestContext { currencies, countries, guests, secret, gateways, .. } = *shop;
        let RequestContext { to: of_request, language, .. } = *shop;
        let typed = (self.name.as_str(), self.phone.as_str());
        let mut address = errors.collect(self.address.check(typed, countries, language));
        if let (None, Some(address)) = (caller, &mut address) {
            // Also in a shop without countries, so that a guest can get text messages.
            let known = orders::normalize(&address.phone, countries.own());
            address.phone = known.unwrap_or(std::mem::take(&mut address.phone));
        }
        if self.lines.is_empty() && errors.invalid.is_empty() {
            errors.invalid.push(Field::new("lines", "cart_empty", "the cart is empty"));
        }
        let cart = errors.collect(Cart { codes: self.codes, ..Cart::of(self.lines) }.parse());
        let to = self.currency.map_or(Some(of_request), |currency| currencies.exchange(currency));
        if to.is_none() {
            errors.conflicting.push(currencies.unknown_currency("currency"));
        }
        let to = to.unwrap_or(of_request);
        let typed_email = self.email.as_deref().map(str::trim).filter(|email| !email.is_empty());
        let guest_email = match (caller, typed_email) {
            (Some(caller), Some(email)) => {
                check_owner(caller, email)?;
                None
            }
            (None, Some(email)) => errors.collect(validation::email(email)).map(String::from),
            (_, None) => None,
        };
        if self.credit > Amount::ZERO && caller.is_none() {
            let message = "store credit belongs to an account";
            errors.invalid.push(Field::new("credit", "bad_credit", message));
        }
        let total = self.total.of(to.currency);
        if self.total < Amount::ZERO || total.is_none() {
            let message = format!("an amount in {}, not negative", to.currency);
            errors.invalid.push(Field::malformed("total", message));
        }
        let recipients = gift_card_recipients::parse(self.gift_card_recipients, &mut errors);
        let Self { gift_cards, credit, payment, .. } = self;
        let tender = RequestedTender { gift_cards, credit, payment };
        let tender = tender.parse(self.total, to.currency, (secret, gateways), &mut errors);
        match (address, cart, total.zip(tender)) {
            (Some(address), Some((lines, codes)), Some((total, tender))) if errors.is_empty() => {
                let Tender { gift_cards, credit, payment } = tender;
                let (customer, email, verified) = match caller {
                    Some(caller) => {
                        (caller.uid.clone(), caller.email.to_lowercase(), Verified::of(caller))
                    }
                    None => {
                        let email = guest_email.clone().unwrap_or_default();
                        (guests.customer(&address.phone), email, Verified::default())
                    }
                };
                Ok(OrderRequest {
                    customer,
                    email,
                    verified,
                    verified_phone: caller.and_then(|caller| caller.verified_phone.clone()),
                    peer: None,
                    language,
                    to,
                    key,
                    content: OrderContent {
                        name: address.name,
                        phone: address.phone,
                        address: address.text,
                        parts: address.parts,
                        lines,
                        total,
                        currency: to.currency,
                        payment,
                        gift_cards,
                        credit,
                        codes,
                        delivery: self.delivery,
                        guest_email,
                        gift_card_recipients: recipients,
                    },
                })
            }
            _ => Err(errors.into()),
        }
    }
}

/// Validation errors of an order.
#[derive(Default)]
pub(super) struct FieldErrors {
    /// Invalid by itself (400).
    pub invalid: Vec<Field>,
    /// Valid by itself, but not with the rest of the order or in this shop (422).
    pub conflicting: Vec<Field>,
}

impl FieldErrors {
    fn is_empty(&self) -> bool {
        self.invalid.is_empty() && self.conflicting.is_empty()
    }

    /// The parsed value, or its errors are collected.
    pub fn collect<T>(&mut self, parsed: Result<T>) -> Option<T> {
        match parsed {
            Ok(parsed) => return Some(parsed),
            Err(Error::Invalid { fields, .. }) => self.invalid.extend(fields),
            Err(Error::Unprocessable { fields, .. }) => self.conflicting.extend(fields),
            Err(why) => self.invalid.push(Field::malformed("body", why.message())),
        }
        None
    }
}

impl From<FieldErrors> for Error {
    fn from(FieldErrors { invalid, conflicting }: FieldErrors) -> Self {
        let valid_fields = invalid.is_empty();
        let fields: Vec<Field> = invalid.into_iter().chain(conflicting).collect();
        let texts = fields.iter().take(5).map(|field| format!("{}: {}", field.name, field.message));
        let message = texts.collect::<Vec<_>>().join("; ");
        match valid_fields {
            true => Self::Unprocessable { message, fields },
            false => Self::Invalid { message, fields },
        }
    }
}

/// Renames the fields of an error to those that the caller used.
fn rename_fields(why: Error, names: &[(&str, &'static str)]) -> Error {
    let mut errors = match why {
        Error::Invalid { fields, .. } => FieldErrors { invalid: fields, conflicting: vec![] },
        Error::Unprocessable { fields, .. } => FieldErrors { invalid: vec![], conflicting: fields },
        why => return why,
    };
    for field in errors.invalid.iter_mut().chain(&mut errors.conflicting) {
        for (ours, theirs) in names {
            if let Some(rest) = field.name.strip_prefix(ours) {
                field.name = format!("{theirs}{rest}").into();
                break;
            }
        }
    }
    errors.into()
}

fn idempotency_key(headers: &HeaderMap) -> Result<Option<String>> {
    let mut sent = headers.get_all(KEY_HEADER).iter();
    let Some(first) = sent.next() else { return Ok(None) };
    let visible = |text: &&str| {
        (1..=MAX_KEY_LEN).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_graphic())
    };
    match first.to_str().ok().filter(visible) {
        Some(key) if sent.next().is_none() => Ok(Some(key.to_owned())),
        _ => {
            let message = format!("one key of 1 to {MAX_KEY_LEN} visible characters");
            Err(Error::invalid("Idempotency-Key", message))
        }
    }
}

/// An order that is placed, or waits for its payment.
#[derive(Serialize, ToSchema)]
struct PlacedOrder {
    #[serde(flatten)]
    order: Order,
    /// Where the shopper goes on to pay; null where nothing is to be paid elsewhere.
    #[schema(required)]
    next: Option<NextPage>,
}

/// The response when the cart has changed.
#[derive(Serialize, ToSchema)]
pub struct ChangedCart {
    /// The code is `stock`, `price`, `gone`, `gift_card`, `credit` or `delivery`.
    error: ErrorDetail,
    /// The current quote of the cart.
    quote: Quote,
}

fn cart_changed(change: CartChange, quote: Quote) -> Response {
    let short = quote.lines.iter().enumerate().filter(|(_, line)| line.change.is_some());
    let error = ErrorDetail {
        code: change.as_str(),
        message: change.message(&quote),
        params: ErrorParams::new(),
        fields: short
            .map(|(place, line)| {
                let (name, left) = (format!("lines.{place}"), line.stock);
                Field::new(name, "stock_left", format!("{left} can be had")).with("left", left)
            })
            .collect(),
        request_id: RequestId::current().map(|id| id.to_string()),
    };
    (StatusCode::CONFLICT, Json(ChangedCart { error, quote })).into_response()
}

async fn respond<T: Serialize>(
    orders: &Orders,
    request: OrderRequest,
    peer: Option<ClientIp>,
    body: impl AsyncFnOnce(Order) -> T,
) -> Result<Response> {
    let request = OrderRequest { peer, ..request };
    let language = orders.languages.translation(request.language);
    // The order is placed: a failure here must not make the client repeat it.
    let translated = async |mut order: Order| {
        if let Err(why) = orders.store.translate_lines([&mut order], language).await {
            tracing::warn!(%why, "a placed order is shown without translated names");
        }
        order
    };
    Ok(match orders.place(&request).await? {
        PlaceOutcome::Placed(order) => {
            (StatusCode::CREATED, Json(body(translated(order).await).await)).into_response()
        }
        PlaceOutcome::AlreadyPlaced(order) => {
            Json(body(translated(order).await).await).into_response()
        }
        PlaceOutcome::CartChanged(what, quote) => cart_changed(what, quote),
        PlaceOutcome::KeyReused => {
            let message = "This Idempotency-Key has placed another order already.";
            let status = StatusCode::UNPROCESSABLE_ENTITY;
            return Err(Error::refused(status, "idempotency_key_reused", message));
        }
    })
}

/// Place an order, in the format of the specification
#[utoipa::path(
    post, path = "/order", tag = "Orders", request_body = SpecifiedOrderRequest,
    params(("Idempotency-Key" = Option<String>, Header, pattern = "^[!-~]{1,128}$",
        description = "A repeated request with the same key and body returns the same order"),
        Language, Exchange),
    security(("accessToken" = [])),
    responses(
        (status = 201, body = SpecifiedOrder),
        (status = 200, description = "The order that was placed with this key before", body = SpecifiedOrder),
        (status = 403, description = "The address is not the caller's own; or a limit on unpaid \
         orders, as in `POST /orders`", body = ErrorBody),
        (status = 409, description = "Nothing was placed: too little stock, a different total, \
         a product that no longer exists, or an address that is not delivered to", body = ChangedCart),
        (status = 422, description = "The key was used for a different order, or fields \
         contradict each other", body = ErrorBody),
        (status = 429, description = "Too many orders in an hour", body = ErrorBody),
        BadRequest,
    )
)]
async fn place_specified(
    State(orders): State<Orders>,
    caller: Customer,
    peer: Option<ClientIp>,
    language: Language,
    to: Exchange,
    headers: HeaderMap,
    JsonBody(sent): JsonBody<SpecifiedOrderRequest>,
) -> Result<Response> {
    let shop = RequestContext::new(&orders, to, language);
    let request = sent.parse(&caller, idempotency_key(&headers)?, &shop)?;
    respond(&orders, request, peer, async |order| SpecifiedOrder::from(order)).await
}

/// Place an order
///
/// Without a token in a shop with `guest_checkout`.
#[utoipa::path(
    post, path = "/orders", tag = "Orders", request_body = NewOrder,
    params(("Idempotency-Key" = Option<String>, Header, pattern = "^[!-~]{1,128}$",
        description = "A repeated request with the same key and body returns the same order"),
        Language, Exchange),
    security((), ("accessToken" = [])),
    responses(
        (status = 201, description = "With `next` it is not paid yet: it stands once the shopper has paid there", body = PlacedOrder),
        (status = 200, description = "The order that was placed with this key before", body = PlacedOrder),
        (status = 403, description = "Unpaid orders are limited. `unproven`: the e-mail address \
         or a phone number must be verified first; `too_many_unpaid`, `too_much_unpaid`: the \
         customer's unpaid orders would have too many items, or too large a total; without an account \
         `phone_code_required`, `wrong_phone_code`, `no_text_messages`, `sign_in_required`", body = ErrorBody),
        (status = 401, description = "The token is not good, or this shop needs one", body = ErrorBody),
        (status = 409, description = "Nothing was placed: too little stock, a different total \
         (also by a promotion that is used up), a product that no longer exists, too little store credit, a gift card \
         that cannot pay its amount, or an address or delivery method that is not possible", body = ChangedCart),
        (status = 422, description = "The key was used for a different order, or fields \
         contradict each other", body = ErrorBody),
        (status = 429, description = "Too many orders in an hour", body = ErrorBody),
        BadRequest,
    )
)]
async fn place(
    (State(orders), State(settlement)): (State<Orders>, State<Settlement>),
    caller: Option<Customer>,
    peer: Option<ClientIp>,
    language: Language,
    to: Exchange,
    headers: HeaderMap,
    JsonBody(mut sent): JsonBody<NewOrder>,
) -> Result<Response> {
    if caller.is_none() && !orders.settings.guests.is_enabled() {
        return Err(Error::Unauthenticated("Please sign in to place an order."));
    }
    let shop = RequestContext::new(&orders, to, language);
    let (key, code) = (idempotency_key(&headers)?, sent.phone_code.take());
    let mut request = sent.parse(caller.as_ref(), key, &shop, FieldErrors::default())?;
    if let Some(code) = code.filter(|_| request.is_guest()) {
        let OrderStore { db, clock, .. } = &orders.store;
        let proven =
            orders.guests.check_code((db, clock), &request.content.phone, &code, peer).await;
        request.verified.phone = proven.is_ok();
        // An order that was placed is returned although its code is too old by now.
        if let Err(why) = proven
            && orders.previous_outcome(&request).await?.is_none()
        {
            return Err(why);
        }
    }
    let placed = async |order: Order| {
        // The order is placed: a failure here must not make the client repeat it.
        let next = settlement.next_step(&order).await.unwrap_or_else(|why| {
            tracing::warn!(%why, number = %order.number, "a placed order could not be read");
            None
        });
        PlacedOrder { order, next }
    };
    respond(&orders, request, peer, placed).await
}
