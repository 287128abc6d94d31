//! HTTP API of orders: a customer's own orders, invoices, and tracking without an account.

use axum::Json;
use axum::body::Bytes;
use axum::extract::{FromRef, State};
use axum::http::{HeaderMap, header};
use axum::response::IntoResponse;
use platform::auth::Customer;
use platform::error::{ErrorBody, Field};
use platform::http::{ClientIp, JsonBody, PathString, QueryParams, check_json};
use platform::pagination::MAX_LIMIT;
use platform::rate_limit::{self, Limit};
use platform::{Context, Error, Language, Money, PageRequest, Result, Timestamp};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::claim::{__path_claim, claim};
use super::guests::{is_guest, same_phone};
use super::invoice::Invoice;
use super::store::TrackedOrder;
use super::{
    Order, OrderDetails, OrderFilter, OrderId, OrderLine, OrderNumber, OrderStatus, OrderStore,
    Orders, ReturnLine, Step, StepOutcome,
};
use crate::catalog::{ChosenOptions, ProductId, VariantId};
use crate::customers::{EmailParam, check_owner};
use crate::error_responses::{BadRequest, NotFound, TooManyRequests};
use crate::payments::{self, PaymentStatus};
use crate::schemas;
use crate::validation::{self, MAX_EMAIL_LEN, optional_line};

const DEFAULT_LIMIT: i64 = 50;
const MAX_NOTE_LEN: usize = 500;
/// A customer looks a few times; guessing a number takes very many tries.
const TRACKED_NUMBER: Limit = Limit::per_hour(20);
const TRACKING_NETWORK: Limit = Limit::per_hour(60);

pub fn router<S>() -> OpenApiRouter<S>
where
    S: Clone + Send + Sync + 'static,
    Context: FromRef<S>,
    Orders: FromRef<S>,
{
    OpenApiRouter::new()
        .routes(routes!(list_specified))
        .routes(routes!(list))
        .routes(routes!(get_order))
        .routes(routes!(invoice))
        .routes(routes!(invoice_pdf))
        .routes(routes!(cancel))
        .routes(routes!(request_return))
        .routes(routes!(track))
        .routes(routes!(claim))
}

/// An order in the format of the specification.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SpecifiedOrder {
    #[serde(rename = "_id")]
    id: OrderId,
    number: OrderNumber,
    created_at: Timestamp,
    grand_price: Money,
    firstname: String,
    email: String,
    phone: String,
    address: String,
    /// A list that contains one list of items.
    get_state: [Vec<SpecifiedItem>; 1],
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SpecifiedItem {
    #[serde(rename = "_id")]
    id: VariantId,
    product: ProductId,
    #[schema(value_type = BTreeMap<String, String>)]
    options: ChosenOptions,
    name: String,
    img: [String; 1],
    buy_price: Money,
    qtn: i64,
}

impl From<Order> for SpecifiedOrder {
    fn from(order: Order) -> Self {
        let item = |line: OrderLine| SpecifiedItem {
            id: line.variant,
            product: line.product,
            options: line.options.0,
            name: line.name,
            img: [line.picture],
            buy_price: line.price,
            qtn: line.quantity,
        };
        Self {
            id: order.id,
            number: order.number,
            created_at: order.created_at,
            grand_price: order.total,
            firstname: order.name,
            email: order.email,
            phone: order.phone,
            address: order.address,
            get_state: [order.lines.into_iter().map(item).collect()],
        }
    }
}

/// List one's orders, the newest first, in the format of the specification
#[utoipa::path(
    get, path = "/order/s/", tag = "Orders", params(EmailParam, Language),
    security(("accessToken" = [])),
    responses(
        (status = 200, description = "At most 200", body = Vec<SpecifiedOrder>),
        (status = 403, description = "The address is not the caller's own", body = ErrorBody),
    )
)]
async fn list_specified(
    State(orders): State<Orders>,
    caller: Customer,
    language: Language,
    QueryParams(EmailParam { email }): QueryParams<EmailParam>,
) -> Result<Json<Vec<SpecifiedOrder>>> {
    check_owner(&caller, &email)?;
    let filter = OrderFilter { customer: Some(&caller.uid), ..OrderFilter::default() };
    let mut found = orders.store.list(&filter, &PageRequest::first(MAX_LIMIT)).await?.items;
    let language = orders.languages.translation(language);
    orders.store.translate_lines(found.iter_mut().map(|(order, _)| order), language).await?;
    Ok(Json(found.into_iter().map(|(order, _)| order.into()).collect()))
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct OrderListParams {
    /// 1 to 200; 50 by default.
    #[param(value_type = Option<i64>, minimum = 1, maximum = 200)]
    limit: Option<String>,
    /// The `X-Next-Cursor` of the previous response.
    #[param(pattern = r"^[0-9]{1,18}\.[A-Za-z0-9_-]{1,64}$")]
    cursor: Option<String>,
    /// Only the order placed with this `Idempotency-Key`.
    key: Option<String>,
}

/// An order and its status.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct ListedOrder {
    #[serde(flatten)]
    order: Order,
    status: OrderStatus,
    /// The amount paid so far, including gift cards and store credit, less all refunds.
    spent: Money,
    payment_status: PaymentStatus,
    /// Where it can be paid, while it awaits payment.
    #[schema(required)]
    pay_url: Option<String>,
}

/// List one's orders, the newest first
#[utoipa::path(
    get, path = "/orders", tag = "Orders", params(OrderListParams, Language),
    security(("accessToken" = [])),
    responses(
        (status = 200, body = Vec<ListedOrder>, headers(
            ("X-Next-Cursor" = String, description = "The cursor of the next page; missing on the \
         last one"),
        )),
        BadRequest,
    )
)]
async fn list(
    State(orders): State<Orders>,
    caller: Customer,
    language: Language,
    QueryParams(params): QueryParams<OrderListParams>,
) -> Result<(HeaderMap, Json<Vec<ListedOrder>>)> {
    let (cursor, limit) = (params.cursor.as_deref(), params.limit.as_deref());
    let request = PageRequest::parse(cursor, limit, DEFAULT_LIMIT)?;
    let (customer, key) = (Some(caller.uid.as_str()), params.key.as_deref());
    let filter = OrderFilter { customer, key, ..OrderFilter::default() };
    let mut page = orders.store.list(&filter, &request).await?;
    let language = orders.languages.translation(language);
    orders.store.translate_lines(page.items.iter_mut().map(|(order, _)| order), language).await?;
    let headers = page.next_header().into_iter().collect();
    let spent = orders.store.spent(page.items.iter().map(|(order, _)| order)).await?;
    let amounts: Vec<_> = page
        .items
        .iter()
        .map(|(order, status)| (&order.id, order.to_pay(), *status == OrderStatus::Cancelled))
        .collect();
    let paid = payments::of_orders(&orders.store.db, &amounts).await?;
    let listed = |(order, status): (Order, OrderStatus)| {
        let awaits = status == OrderStatus::AwaitingPayment;
        ListedOrder {
            spent: spent.get(&order.id).copied().unwrap_or(Money::zero(order.currency)),
            payment_status: paid.get(&order.id).map_or(PaymentStatus::Unpaid, |paid| paid.status),
            pay_url: orders.store.pay_links.path(&order).filter(|_| awaits),
            order,
            status,
        }
    };
    Ok((headers, Json(page.items.into_iter().map(listed).collect())))
}

impl Orders {
    /// The caller's order with this number. Another customer's is reported as not found.
    /// With the names of its lines in this language, or in that of the order.
    pub(super) async fn own(
        &self,
        caller: &Customer,
        number: &str,
        language: Option<Language>,
    ) -> Result<Order> {
        let number = number.parse::<OrderNumber>().map_err(|_| Error::NotFound("order"))?;
        let found = self.store.by_number(&number).await?;
        let own = found.map(|(order, _)| order).filter(|order| order.customer == caller.uid);
        let mut own = own.ok_or(Error::NotFound("order"))?;
        let language = language.unwrap_or(self.store.sender.language(&own));
        self.store.translate_lines([&mut own], self.languages.translation(language)).await?;
        Ok(own)
    }
}

/// Get one of one's orders with its history
#[utoipa::path(
    get, path = "/orders/{number}", tag = "Orders",
    params(("number" = String, Path, description = "The order's number"), Language),
    security(("accessToken" = [])),
    responses((status = 200, body = OrderDetails), NotFound)
)]
async fn get_order(
    State(orders): State<Orders>,
    caller: Customer,
    language: Language,
    PathString(number): PathString,
) -> Result<Json<OrderDetails>> {
    let order = orders.own(&caller, &number, Some(language)).await?;
    Ok(Json(orders.store.details(order, &orders.settings).await?))
}

/// Get an order's invoice
#[utoipa::path(
    get, path = "/orders/{number}/invoice", tag = "Orders",
    params(("number" = String, Path, description = "The order's number"), Language),
    security(("accessToken" = [])),
    responses((status = 200, body = Invoice), NotFound)
)]
async fn invoice(
    State(orders): State<Orders>,
    caller: Customer,
    language: Language,
    PathString(number): PathString,
) -> Result<Json<Invoice>> {
    let order = orders.own(&caller, &number, Some(language)).await?;
    let now = orders.store.details(order, &orders.settings).await?;
    Ok(Json(now.invoice(orders.store.sender.profiles.of(language), language)))
}

/// Get an order's invoice as PDF, in the language in which it was placed
#[utoipa::path(
    get, path = "/orders/{number}/invoice.pdf", tag = "Orders",
    params(("number" = String, Path, description = "The order's number")),
    security(("accessToken" = [])),
    responses((status = 200, content_type = "application/pdf", body = Vec<u8>), NotFound)
)]
async fn invoice_pdf(
    State(orders): State<Orders>,
    caller: Customer,
    PathString(number): PathString,
) -> Result<impl IntoResponse> {
    let order = orders.own(&caller, &number, None).await?;
    let now = orders.store.details(order, &orders.settings).await?;
    let file = format!("attachment; filename=\"invoice-{}.pdf\"", now.order.number);
    let language = orders.store.sender.language(&now.order);
    let invoice = now.invoice(orders.store.sender.profiles.of(language), language);
    let pdf = tokio::task::spawn_blocking(move || invoice.pdf()).await;
    let pdf = pdf.map_err(Error::internal)?.map_err(Error::internal)?;
    let kind = (header::CONTENT_TYPE, "application/pdf".to_owned());
    let cache = (header::CACHE_CONTROL, "private, no-store".to_owned());
    Ok(([kind, (header::CONTENT_DISPOSITION, file), cache], pdf))
}

/// Why an order is cancelled.
#[derive(Default, Deserialize, ToSchema)]
struct Reason {
    /// At most 500 characters.
    #[serde(default)]
    #[schema(schema_with = schemas::line::<MAX_NOTE_LEN>)]
    note: String,
}

/// What a customer wants to return, and why.
#[derive(Default, Deserialize, ToSchema)]
struct ReturnRequest {
    /// At most 500 characters.
    #[serde(default)]
    #[schema(schema_with = schemas::line::<MAX_NOTE_LEN>)]
    note: String,
    /// Quantities by line, each line once. When empty, everything returnable.
    #[serde(default)]
    lines: Vec<ReturnLine>,
}

/// Parses an optional JSON body.
fn parse_body<T: Default + DeserializeOwned>(body: &Bytes) -> Result<T> {
    match body.is_empty() {
        true => Ok(T::default()),
        false => {
            check_json(body)?;
            serde_json::from_slice(body).map_err(|why| Error::invalid("body", why.to_string()))
        }
    }
}

/// Cancel an order that is not packed yet
#[utoipa::path(
    post, path = "/orders/{number}/cancel", tag = "Orders", request_body = Reason,
    params(("number" = String, Path, description = "The order's number"), Language),
    security(("accessToken" = [])),
    responses(
        (status = 200, description = "Repeating it changes nothing", body = OrderDetails),
        (status = 409, description = "`packed_already`: it is already packed", body = ErrorBody),
        (status = 429, description = "Too many cancellations in an hour", body = ErrorBody),
        NotFound,
    )
)]
async fn cancel(
    State(orders): State<Orders>,
    caller: Customer,
    language: Language,
    PathString(number): PathString,
    peer: Option<ClientIp>,
    body: Bytes,
) -> Result<Json<OrderDetails>> {
    let Reason { note } = parse_body(&body)?;
    let note = optional_line("note", &note, MAX_NOTE_LEN)?;
    let order = orders.own(&caller, &number, Some(language)).await?;
    let OrderStore { db, clock, .. } = &orders.store;
    orders.settings.limits.count((db, clock), "cancelling", &caller.uid, peer).await?;
    match orders.store.apply(&order.number, Step::CustomerCancel, &note).await? {
        StepOutcome::Done(_) | StepOutcome::NotAllowed(OrderStatus::Cancelled) => {}
        _ => {
            let message = "The order is packed already, so it cannot be cancelled any more.";
            return Err(Error::conflict("packed_already", message));
        }
    }
    Ok(Json(orders.store.details(order, &orders.settings).await?))
}

/// Request the return of a delivered order, or of some of its lines
#[utoipa::path(
    post, path = "/orders/{number}/return", tag = "Orders", request_body = ReturnRequest,
    params(("number" = String, Path, description = "The order's number"), Language),
    security(("accessToken" = [])),
    responses(
        (status = 200, description = "Repeating it before the shop decides changes nothing",
         body = OrderDetails),
        (status = 400, description = "More than can be returned", body = ErrorBody),
        (status = 409, description = "`too_late_to_return`: not delivered yet, or too long ago", body = ErrorBody),
        NotFound,
    )
)]
async fn request_return(
    State(orders): State<Orders>,
    caller: Customer,
    language: Language,
    PathString(number): PathString,
    body: Bytes,
) -> Result<Json<OrderDetails>> {
    let too_late = || {
        let message = "An order can be returned within a few days of its delivery only.";
        Error::conflict("too_late_to_return", message)
    };
    let ReturnRequest { note, lines } = parse_body(&body)?;
    let note = optional_line("note", &note, MAX_NOTE_LEN)?;
    let order = orders.own(&caller, &number, Some(language)).await?;
    let now = orders.store.details(order, &orders.settings).await?;
    if now.status == OrderStatus::ReturnRequested {
        return Ok(Json(now));
    }
    if now.return_until.is_none() {
        return Err(too_late());
    }
    match orders.store.apply(&now.order.number, Step::RequestReturn(&lines), &note).await? {
        StepOutcome::Done(_) | StepOutcome::NotAllowed(OrderStatus::ReturnRequested) => {}
        StepOutcome::NotReturnable => {
            let message = "more than can still be returned";
            return Err(Field::new("lines", "not_returnable", message).into());
        }
        _ => return Err(too_late()),
    }
    Ok(Json(orders.store.details(now.order, &orders.settings).await?))
}

#[derive(Deserialize, ToSchema)]
struct Tracking {
    #[schema(max_length = 254)]
    number: String,
    /// The e-mail address that the order was placed with.
    #[serde(default)]
    #[schema(max_length = 254, required = false)]
    email: String,
    /// Instead of the e-mail address, the phone number that the order was placed with.
    #[serde(default)]
    #[schema(max_length = 254, required = false)]
    phone: String,
}

/// An order's history without personal data.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct Track {
    number: OrderNumber,
    status: OrderStatus,
    history: Vec<TrackedStep>,
    payment_status: PaymentStatus,
    /// Where it can be paid, while it awaits payment.
    #[schema(required)]
    pay_url: Option<String>,
    /// Whether it has no account, so that one can claim it.
    guest: bool,
}

#[derive(Serialize, ToSchema)]
struct TrackedStep {
    status: OrderStatus,
    at: Timestamp,
}

/// Track an order by its number, and its e-mail address or phone number
#[utoipa::path(
    post, path = "/track", tag = "Orders", request_body = Tracking,
    responses(
        (status = 200, body = Track),
        (status = 404, description = "No such order, or another e-mail address or phone number",
         body = ErrorBody),
        BadRequest, TooManyRequests,
    )
)]
async fn track(
    State(orders): State<Orders>,
    peer: Option<ClientIp>,
    JsonBody(Tracking { number, email, phone }): JsonBody<Tracking>,
) -> Result<Json<Track>> {
    for (name, text) in [("number", &number), ("email", &email), ("phone", &phone)] {
        if text.chars().count() > MAX_EMAIL_LEN {
            return Err(validation::too_long(name, MAX_EMAIL_LEN).into());
        }
    }
    let tracked = orders.find_by_contact(&number, &email, &phone, peer).await?;
    let guest = is_guest(&tracked.customer);
    let history = orders.store.history(&tracked.id).await?;
    let history = history.into_iter().map(|step| TrackedStep { status: step.status, at: step.at });
    let order = orders.store.by_id(&tracked.id).await?.ok_or(Error::NotFound("order"))?;
    let TrackedOrder { number, status, .. } = tracked;
    let is_cancelled = status == OrderStatus::Cancelled;
    let db = &orders.store.db;
    let paid = payments::of_order(db, &order.id, order.to_pay(), is_cancelled).await?;
    let awaits = status == OrderStatus::AwaitingPayment;
    let pay_url = orders.store.pay_links.path(&order).filter(|_| awaits);
    let (history, payment_status) = (history.collect(), paid.status);
    Ok(Json(Track { number, status, history, payment_status, pay_url, guest }))
}

impl Orders {
    /// The order with this number and this e-mail address or, without one, this phone number.
    pub(crate) async fn find_by_contact(
        &self,
        number: &str,
        email: &str,
        phone: &str,
        peer: Option<ClientIp>,
    ) -> Result<TrackedOrder> {
        let number = number.parse::<OrderNumber>().ok();
        self.limit_lookups(number, peer).await?;
        let number = number.map_or_else(String::new, |number| number.to_string());
        let (email, own) = (email.trim().to_lowercase(), self.countries.own());
        let tracked = self.store.tracked(&number).await?.filter(|tracked| match email.as_str() {
            "" => same_phone(phone, &tracked.phone, tracked.country().or(own)),
            email => tracked.email == email,
        });
        tracked.ok_or(Error::NotFound("order"))
    }

    /// Counts a look at an order by its number, which may be a guess.
    pub(super) async fn limit_lookups(
        &self,
        number: Option<OrderNumber>,
        peer: Option<ClientIp>,
    ) -> Result<()> {
        let by_number = number.map(|number| (format!("track {number}"), TRACKED_NUMBER));
        let by_network = peer.map(|peer| format!("track from {}", peer.network()));
        let by_network = by_network.map(|network| (network, TRACKING_NETWORK));
        let subjects: Vec<_> = by_number.into_iter().chain(by_network).collect();
        rate_limit::consume(&self.store.db, &self.store.clock, &subjects).await
    }
}
