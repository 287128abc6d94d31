//! The orders' API: what a customer sees of their own orders, and the tracking that needs no account.

use std::time::Duration;

use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderName, HeaderValue, header};
use axum::response::IntoResponse;
use axum::{Extension, Json};
use base::auth::{Authenticates, Caller, Tokens};
use base::error::ErrorBody;
use base::http::{Params, PathText, Peer, Sent, check_json};
use base::text::clean_name;
use base::{Cursor, Error, Money, Result, Timestamp};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::invoice::Invoice;
use super::{
    Book, Filter, Number, Order, OrderId, OrderLine, OrderNow, Orders, ReturnLine, Status, Step,
    Taken,
};
use crate::allowance::{Allowance, spend};
use crate::catalog::ProductId;
use crate::forms::LONGEST_EMAIL;
use crate::schemas;

const MOST: i64 = 200;
const USUAL: i64 = 50;
pub const LONGEST_NOTE: usize = 500;
/// Somebody who waits for a parcel looks a few times; a guesser has to look very often.
const TRACKED_NUMBER: Allowance = Allowance { most: 20, window: Duration::from_secs(3600) };
const TRACKING_NETWORK: Allowance = Allowance { most: 60, window: Duration::from_secs(3600) };

impl Authenticates for Orders {
    fn tokens(&self) -> &Tokens {
        &self.tokens
    }
}

pub fn router() -> OpenApiRouter<Orders> {
    OpenApiRouter::new()
        .routes(routes!(list_as_specified))
        .routes(routes!(list))
        .routes(routes!(get_order))
        .routes(routes!(invoice))
        .routes(routes!(invoice_pdf))
        .routes(routes!(cancel))
        .routes(routes!(ask_to_return))
        .routes(routes!(track))
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct Whose {
    /// The e-mail address of whoever asks.
    email: String,
}

/// An order in the specification's words.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SpecifiedOrder {
    #[serde(rename = "_id")]
    id: OrderId,
    number: Number,
    created_at: Timestamp,
    grand_price: Money,
    firstname: String,
    email: String,
    phone: String,
    address: String,
    /// One list of items, in a list.
    get_state: [Vec<SpecifiedItem>; 1],
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SpecifiedItem {
    #[serde(rename = "_id")]
    id: ProductId,
    name: String,
    img: [String; 1],
    buy_price: Money,
    qtn: i64,
}

impl From<Order> for SpecifiedOrder {
    fn from(order: Order) -> Self {
        let item = |line: OrderLine| SpecifiedItem {
            id: line.product,
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

/// One's own orders, newest first, in the specification's words
#[utoipa::path(
    get, path = "/order/s/", tag = "Orders", params(Whose),
    security(("accessToken" = [])),
    responses(
        (status = 200, description = "At most 200. Wants the shop's access token as Bearer",
         body = Vec<SpecifiedOrder>),
        (status = 401, body = ErrorBody),
        (status = 403, description = "The address is not the caller's own", body = ErrorBody),
    )
)]
async fn list_as_specified(
    State(orders): State<Orders>,
    caller: Caller,
    Params(Whose { email }): Params<Whose>,
) -> Result<Json<Vec<SpecifiedOrder>>> {
    if !caller.owns(&email) {
        return Err(Error::Forbidden("This is not your address."));
    }
    let filter = Filter { customer: Some(&caller.uid), ..Filter::default() };
    let found = orders.book.list(&filter, None, MOST).await?;
    Ok(Json(found.into_iter().map(|(order, _)| order.into()).collect()))
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct ListParams {
    /// How many, 1 to 200; 50 when it is left out.
    #[param(value_type = Option<i64>, minimum = 1, maximum = 200)]
    limit: Option<String>,
    /// Where to go on: the `X-Next-Cursor` of the answer before.
    #[param(pattern = r"^[0-9]{1,18}\.[A-Za-z0-9_-]{1,64}$")]
    cursor: Option<String>,
    /// Only the order that this `Idempotency-Key` has placed; none where it has placed none.
    key: Option<String>,
}

/// An order in a list: as it was agreed, and where it stands.
#[derive(Serialize, ToSchema)]
struct ListedOrder {
    #[serde(flatten)]
    order: Order,
    status: Status,
    /// What was paid for it so far, less what was refunded, be it as store credit.
    spent: Money,
}

/// One's own orders, newest first
#[utoipa::path(
    get, path = "/orders", tag = "Orders", params(ListParams),
    security(("accessToken" = [])),
    responses(
        (status = 200, description = "Wants the shop's access token as Bearer",
         body = Vec<ListedOrder>, headers(
            ("X-Next-Cursor" = String, description = "Where the next page starts; missing on the last"),
        )),
        (status = 400, body = ErrorBody),
        (status = 401, body = ErrorBody),
    )
)]
async fn list(
    State(orders): State<Orders>,
    caller: Caller,
    Params(params): Params<ListParams>,
) -> Result<(HeaderMap, Json<Vec<ListedOrder>>)> {
    let limit = match params.limit.as_deref().map(str::parse) {
        None => USUAL,
        Some(Ok(limit @ 1..=MOST)) => limit,
        _ => return Err(Error::invalid("limit", format!("a number from 1 to {MOST}"))),
    };
    let after = params.cursor.as_deref().map(Cursor::parse).transpose()?;
    let (customer, key) = (Some(caller.uid.as_str()), params.key.as_deref());
    let filter = Filter { customer, key, ..Filter::default() };
    let mut found = orders.book.list(&filter, after.as_ref(), limit + 1).await?;
    let mut headers = HeaderMap::new();
    if found.len() as i64 > limit {
        found.truncate(limit as usize);
        if let Some((Order { created_at, id, .. }, _)) = found.last() {
            let cursor = Cursor { created_at: *created_at, id: id.clone() };
            let value = HeaderValue::try_from(cursor.text()).map_err(Error::internal)?;
            headers.insert(HeaderName::from_static("x-next-cursor"), value);
        }
    }
    let ids: Vec<OrderId> = found.iter().map(|(order, _)| order.id.clone()).collect();
    let spent = orders.book.spent(&ids).await?;
    let listed = |(order, status): (Order, Status)| {
        let spent = spent.get(&order.id).copied().unwrap_or(Money::ZERO);
        ListedOrder { order, status, spent }
    };
    Ok((headers, Json(found.into_iter().map(listed).collect())))
}

impl Orders {
    /// The caller's own order of this number: of others' nobody hears even that they are there.
    async fn own(&self, caller: &Caller, number: &str) -> Result<Order> {
        let number = number.parse::<Number>().map_err(|_| Error::NotFound("order"))?;
        let found = self.book.by_number(&number).await?;
        let own = found.map(|(order, _)| order).filter(|order| order.customer == caller.uid);
        own.ok_or(Error::NotFound("order"))
    }
}

/// One of one's own orders, with what has become of it
#[utoipa::path(
    get, path = "/orders/{number}", tag = "Orders",
    params(("number" = String, Path, description = "The order's number")),
    security(("accessToken" = [])),
    responses(
        (status = 200, description = "Wants the shop's access token as Bearer", body = OrderNow),
        (status = 401, body = ErrorBody),
        (status = 404, body = ErrorBody),
    )
)]
async fn get_order(
    State(orders): State<Orders>,
    caller: Caller,
    PathText(number): PathText,
) -> Result<Json<OrderNow>> {
    let order = orders.own(&caller, &number).await?;
    Ok(Json(orders.book.now(order, &orders.settings).await?))
}

/// The invoice of one of one's own orders
#[utoipa::path(
    get, path = "/orders/{number}/invoice", tag = "Orders",
    params(("number" = String, Path, description = "The order's number")),
    security(("accessToken" = [])),
    responses(
        (status = 200, description = "Wants the shop's access token as Bearer", body = Invoice),
        (status = 401, body = ErrorBody),
        (status = 404, body = ErrorBody),
    )
)]
async fn invoice(
    State(orders): State<Orders>,
    caller: Caller,
    PathText(number): PathText,
) -> Result<Json<Invoice>> {
    let order = orders.own(&caller, &number).await?;
    let now = orders.book.now(order, &orders.settings).await?;
    Ok(Json(now.invoice(&orders.shop)))
}

/// The invoice of one of one's own orders, as PDF
#[utoipa::path(
    get, path = "/orders/{number}/invoice.pdf", tag = "Orders",
    params(("number" = String, Path, description = "The order's number")),
    security(("accessToken" = [])),
    responses(
        (status = 200, description = "Wants the shop's access token as Bearer",
         content_type = "application/pdf", body = Vec<u8>),
        (status = 401, body = ErrorBody),
        (status = 404, body = ErrorBody),
    )
)]
async fn invoice_pdf(
    State(orders): State<Orders>,
    caller: Caller,
    PathText(number): PathText,
) -> Result<impl IntoResponse> {
    let order = orders.own(&caller, &number).await?;
    let now = orders.book.now(order, &orders.settings).await?;
    let file = format!("attachment; filename=\"invoice-{}.pdf\"", now.order.number);
    let invoice = now.invoice(&orders.shop);
    let pdf = tokio::task::spawn_blocking(move || invoice.pdf()).await;
    let pdf = pdf.map_err(Error::internal)?.map_err(Error::internal)?;
    let kind = (header::CONTENT_TYPE, "application/pdf".to_owned());
    let kept = (header::CACHE_CONTROL, "private, no-store".to_owned());
    Ok(([kind, (header::CONTENT_DISPOSITION, file), kept], pdf))
}

/// Why somebody does something to an order.
#[derive(Default, Deserialize, ToSchema)]
struct Reason {
    /// At most 500 characters.
    #[serde(default)]
    #[schema(schema_with = schemas::order_note)]
    note: String,
}

/// What a customer wants to return, and why.
#[derive(Default, Deserialize, ToSchema)]
struct ReturnRequest {
    /// At most 500 characters.
    #[serde(default)]
    #[schema(schema_with = schemas::order_note)]
    note: String,
    /// How many of which products, each named once. Left out or empty: all that can be returned.
    #[serde(default)]
    lines: Vec<ReturnLine>,
}

/// The body may be left out.
fn parsed<T: Default + DeserializeOwned>(body: &Bytes) -> Result<T> {
    match body.is_empty() {
        true => Ok(T::default()),
        false => {
            check_json(body)?;
            serde_json::from_slice(body).map_err(|why| Error::invalid("body", why.to_string()))
        }
    }
}

fn checked_note(note: &str) -> Result<String> {
    let note = note.trim();
    if note.chars().count() > LONGEST_NOTE || note.contains(char::is_control) {
        let message = format!("at most {LONGEST_NOTE} characters in one line");
        return Err(Error::invalid("note", message));
    }
    Ok(clean_name(note, LONGEST_NOTE))
}

/// Cancel an order that is not packed yet
#[utoipa::path(
    post, path = "/orders/{number}/cancel", tag = "Orders", request_body = Reason,
    params(("number" = String, Path, description = "The order's number")),
    security(("accessToken" = [])),
    responses(
        (status = 200, description = "Wants the shop's access token as Bearer. Cancelling what is \
         cancelled changes nothing", body = OrderNow),
        (status = 401, body = ErrorBody),
        (status = 404, body = ErrorBody),
        (status = 409, description = "`not_now`: it is packed, or further", body = ErrorBody),
        (status = 429, description = "Too many cancelled in an hour", body = ErrorBody),
    )
)]
async fn cancel(
    State(orders): State<Orders>,
    caller: Caller,
    PathText(number): PathText,
    peer: Option<Extension<Peer>>,
    body: Bytes,
) -> Result<Json<OrderNow>> {
    let Reason { note } = parsed(&body)?;
    let note = checked_note(&note)?;
    let order = orders.own(&caller, &number).await?;
    let (Book { db, clock, .. }, peer) = (&orders.book, peer.map(|Extension(peer)| peer));
    orders.settings.limits.count((db, clock), "cancelling", &caller.uid, peer).await?;
    match orders.book.take(&order.number, Step::Withdraw, &note).await? {
        Taken::Done(_) | Taken::NotNow(Status::Cancelled) => {}
        _ => {
            return Err(not_now(
                "The order is packed already, so it cannot be cancelled any more.",
            ));
        }
    }
    Ok(Json(orders.book.now(order, &orders.settings).await?))
}

/// Ask to return an order that was delivered, or some of it
#[utoipa::path(
    post, path = "/orders/{number}/return", tag = "Orders", request_body = ReturnRequest,
    params(("number" = String, Path, description = "The order's number")),
    security(("accessToken" = [])),
    responses(
        (status = 200, description = "Wants the shop's access token as Bearer. Asking again before it \
         is decided changes nothing", body = OrderNow),
        (status = 400, description = "More is named than can be returned", body = ErrorBody),
        (status = 401, body = ErrorBody),
        (status = 404, body = ErrorBody),
        (status = 409, description = "`not_now`: not delivered yet, or too long ago", body = ErrorBody),
    )
)]
async fn ask_to_return(
    State(orders): State<Orders>,
    caller: Caller,
    PathText(number): PathText,
    body: Bytes,
) -> Result<Json<OrderNow>> {
    const LATE: &str = "An order can be returned within a few days of its delivery only.";
    let ReturnRequest { note, lines } = parsed(&body)?;
    let note = checked_note(&note)?;
    let order = orders.own(&caller, &number).await?;
    let now = orders.book.now(order, &orders.settings).await?;
    if now.status == Status::ReturnRequested {
        return Ok(Json(now));
    }
    if now.return_until.is_none() {
        return Err(not_now(LATE));
    }
    match orders.book.take(&now.order.number, Step::AskToReturn(&lines), &note).await? {
        Taken::Done(_) | Taken::NotNow(Status::ReturnRequested) => {}
        Taken::NotReturnable => {
            return Err(Error::invalid("lines", "more than can still be returned"));
        }
        _ => return Err(not_now(LATE)),
    }
    Ok(Json(orders.book.now(now.order, &orders.settings).await?))
}

fn not_now(message: &str) -> Error {
    Error::Conflict { code: "not_now", message: message.into() }
}

#[derive(Deserialize, ToSchema)]
struct Tracking {
    #[schema(max_length = 254)]
    number: String,
    /// The e-mail address that the order was placed with.
    #[schema(max_length = 254)]
    email: String,
}

/// How an order has gone, without anything of whose it is.
#[derive(Serialize, ToSchema)]
struct Track {
    number: Number,
    status: Status,
    history: Vec<TrackedStep>,
}

#[derive(Serialize, ToSchema)]
struct TrackedStep {
    status: Status,
    at: Timestamp,
}

/// How an order has gone, for whoever knows its number and e-mail address
#[utoipa::path(
    post, path = "/track", tag = "Orders", request_body = Tracking,
    responses(
        (status = 200, body = Track),
        (status = 400, body = ErrorBody),
        (status = 404, description = "There is no such order, or it was placed with another address",
         body = ErrorBody),
        (status = 429, body = ErrorBody),
    )
)]
async fn track(
    State(orders): State<Orders>,
    peer: Option<Extension<Peer>>,
    Sent(Tracking { number, email }): Sent<Tracking>,
) -> Result<Json<Track>> {
    for (name, text) in [("number", &number), ("email", &email)] {
        if text.chars().count() > LONGEST_EMAIL {
            return Err(Error::invalid(name, format!("at most {LONGEST_EMAIL} characters")));
        }
    }
    let parsed = number.parse::<Number>().ok();
    let by_number = parsed.map(|number| (format!("track {number}"), TRACKED_NUMBER));
    let by_network = peer.map(|Extension(peer)| format!("track from {}", peer.network()));
    let by_network = by_network.map(|network| (network, TRACKING_NETWORK));
    let subjects: Vec<_> = by_number.into_iter().chain(by_network).collect();
    spend(&orders.book.db, &orders.book.clock, &subjects).await?;
    let number = parsed.map_or_else(String::new, |number| number.to_string());
    let history = orders.book.tracked(&number, &email.trim().to_lowercase()).await?;
    let last = history.last().map(|event| event.status);
    let (Some(number), Some(status)) = (parsed, last) else {
        return Err(Error::NotFound("order"));
    };
    let step = |event: super::OrderEvent| TrackedStep { status: event.status, at: event.at };
    Ok(Json(Track { number, status, history: history.into_iter().map(step).collect() }))
}
