//! `haat identity --emulator`: a stand-in for Google's auth emulator, for other people's tests. It
//! believes everybody, signs nothing and shows every code. None of that exists in any other mode:
//! each laxness asks for the `Emulator` that only this mode has.

mod config;
pub(crate) mod fake_hash;
mod widget;

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use axum::Router;
use axum::body::{Body as HttpBody, to_bytes};
use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::{delete, get, post};
use base::{Clock, Db, Error, Random, Result};
use form_urlencoded::Serializer;
use serde_json::{Value, json};
use tokio::sync::Mutex as AsyncMutex;

use crate::http::Call;
use crate::protocol::{Answer, Body, Refusal, refuse};
use crate::sessions::hash;
use crate::{Identity, Place, Settings, codes, profile};
use config::Config;

const MOST_BYTES: usize = 64 << 10;
/// Each project has a database of its own.
const MOST_PROJECTS: usize = 100;

/// What an emulated project remembers beside its accounts.
#[derive(Default)]
pub struct Emulator {
    config: Config,
    letters: Mutex<Vec<(String, Value)>>,
    texts: Mutex<Vec<(String, Value)>>,
}

impl Emulator {
    pub fn keeps_privacy(&self) -> bool {
        self.config.keeps_privacy()
    }

    /// Whether an address may belong to many accounts.
    pub fn allows_duplicate_emails(&self) -> bool {
        self.config.allows_duplicate_emails()
    }

    pub fn code_made(&self, kind: &str, email: &str, new: Option<&str>, code: &str, link: &str) {
        let mut made = json!({
            "email": email,
            "requestType": kind,
            "oobCode": code,
            "oobLink": link,
        });
        if let Some(new) = new {
            made["newEmail"] = new.into();
        }
        held(&self.letters).push((hash(code), made));
    }

    pub fn code_used(&self, code: &str) {
        held(&self.letters).retain(|(hash, _)| hash != code);
    }

    pub fn text_sent(&self, number: &str, session: &str, code: &str) {
        let sent = json!({ "code": code, "phoneNumber": number, "sessionInfo": session });
        held(&self.texts).push((hash(session), sent));
    }

    pub fn text_used(&self, session: &str) {
        held(&self.texts).retain(|(hash, _)| hash != session);
    }

    /// The settings that can be changed while it runs.
    pub fn config(&self) -> Value {
        self.config.whole()
    }

    /// Changes those that `mask` names.
    pub fn update_config(&self, given: &Body, mask: Option<&str>) -> Answer {
        self.config.update(given.fields(), mask)?;
        Ok(self.config())
    }

    fn forget(&self) {
        held(&self.letters).clear();
        held(&self.texts).clear();
        self.config.reset();
    }
}

/// Whether a bearer token is an owner's: the word, or what looks like a token of Google's for a service
/// account.
pub fn is_owner(token: &str) -> bool {
    token.eq_ignore_ascii_case("owner") || token.starts_with("ya29.")
}

fn held<T>(lock: &Mutex<T>) -> MutexGuard<'_, T> {
    lock.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The emulated projects: each is made when it is first named.
#[derive(Clone)]
pub struct Projects(Arc<House>);

struct House {
    /// Where their databases are put.
    folder: std::path::PathBuf,
    clock: Clock,
    random: Random,
    settings: Settings,
    place: Place,
    open: AsyncMutex<BTreeMap<String, Identity>>,
}

impl Projects {
    /// Emulated projects with their databases in `folder`, which is theirs.
    pub fn new(
        folder: std::path::PathBuf,
        clock: Clock,
        random: Random,
        settings: Settings,
        place: Place,
    ) -> Self {
        let open = AsyncMutex::default();
        Self(Arc::new(House { folder, clock, random, settings, place, open }))
    }

    /// The project that calls without one mean.
    pub async fn main(&self) -> Result<Identity> {
        self.named(&self.0.settings.project_id).await
    }

    pub async fn named(&self, project: &str) -> Result<Identity> {
        let House { folder, clock, random, settings, place, open } = &*self.0;
        let mut open = open.lock().await;
        if let Some(identity) = open.get(project) {
            return Ok(identity.clone());
        }
        if open.len() >= MOST_PROJECTS || project.len() > 128 {
            return Err(Error::Unavailable("too many projects".into()));
        }
        let file = folder.join(format!("{}.db", open.len()));
        let db = Db::open(&format!("sqlite://{}", file.display())).await?;
        db.migrate(clock).await?;
        let settings = Settings { project_id: project.into(), ..settings.clone() };
        let identity = Identity::lax(db, clock.clone(), random.clone(), settings, place.clone())?;
        open.insert(project.into(), identity.clone());
        Ok(identity)
    }
}

/// The paths that no other mode has.
pub fn router(projects: Projects) -> Router {
    Router::new()
        .route("/", get(ready))
        .route("/emulator/v1/projects/{project}", delete(forget_all))
        .route("/emulator/v1/projects/{project}/accounts", delete(forget_accounts))
        .route("/emulator/v1/projects/{project}/oobCodes", get(letters))
        .route("/emulator/v1/projects/{project}/verificationCodes", get(texts))
        .route("/emulator/v1/projects/{project}/config", get(config).patch(configure))
        .route("/emulator/v1/clock:advance", post(advance))
        .route("/emulator/action", get(action))
        .merge(widget::router())
        .with_state(projects)
}

type Answered = Result<axum::Json<Value>, Refusal>;

async fn ready() -> axum::Json<Value> {
    let docs = "https://firebase.google.com/docs/emulator-suite";
    axum::Json(json!({ "authEmulator": { "ready": true, "docs": docs, "apiSpec": "" } }))
}

/// Part of an emulated project.
async fn of(projects: &Projects, project: &str) -> Answer<Identity> {
    Ok(projects.named(project).await?)
}

async fn forget_accounts(
    State(projects): State<Projects>,
    Path(project): Path<String>,
) -> Answered {
    let identity = of(&projects, &project).await?;
    for table in ["accounts", "refresh_tokens"] {
        identity.db.query(format!("delete from {table}")).execute().await?;
    }
    Ok(axum::Json(json!({})))
}

async fn forget_all(State(projects): State<Projects>, Path(project): Path<String>) -> Answered {
    let identity = of(&projects, &project).await?;
    for table in ["accounts", "refresh_tokens", "mail_codes", "phone_codes", "security_events"] {
        identity.db.query(format!("delete from {table}")).execute().await?;
    }
    if let Some(emulator) = identity.emulator() {
        emulator.forget();
    }
    Ok(axum::Json(json!({})))
}

fn listed(list: &Mutex<Vec<(String, Value)>>) -> Vec<Value> {
    held(list).iter().map(|(_, shown)| shown.clone()).collect()
}

async fn letters(State(projects): State<Projects>, Path(project): Path<String>) -> Answered {
    let identity = of(&projects, &project).await?;
    let codes = identity.emulator().map(|emulator| listed(&emulator.letters));
    Ok(axum::Json(json!({ "oobCodes": codes.unwrap_or_default() })))
}

async fn texts(State(projects): State<Projects>, Path(project): Path<String>) -> Answered {
    let identity = of(&projects, &project).await?;
    let codes = identity.emulator().map(|emulator| listed(&emulator.texts));
    Ok(axum::Json(json!({ "verificationCodes": codes.unwrap_or_default() })))
}

async fn config(State(projects): State<Projects>, Path(project): Path<String>) -> Answered {
    let identity = of(&projects, &project).await?;
    Ok(axum::Json(identity.emulator().map(|emulator| emulator.config.short()).unwrap_or_default()))
}

async fn read(body: HttpBody) -> Answer<Body> {
    match to_bytes(body, MOST_BYTES).await {
        Ok(bytes) => Body::parse(&bytes),
        Err(_) => refuse("INVALID_ARGUMENT : The body is too large."),
    }
}

async fn configure(
    State(projects): State<Projects>,
    Path(project): Path<String>,
    body: HttpBody,
) -> Answered {
    let identity = of(&projects, &project).await?;
    let body = read(body).await?;
    let Some(emulator) = identity.emulator() else { return Ok(axum::Json(json!({}))) };
    let mask = "signIn.allowDuplicateEmails,emailPrivacyConfig.enableImprovedEmailPrivacy";
    emulator.config.update(body.fields(), Some(mask))?;
    Ok(axum::Json(emulator.config.short()))
}

/// Lets time pass, so that codes and tokens expire without waiting for it.
async fn advance(State(projects): State<Projects>, body: HttpBody) -> Answered {
    let by = read(body).await?.number("milliseconds")?;
    let Some(by) = by.and_then(|by| u64::try_from(by).ok()) else {
        return refuse("INVALID_ARGUMENT : milliseconds: a number that is not negative")
            .map(axum::Json);
    };
    projects.0.clock.advance(Duration::from_millis(by));
    Ok(axum::Json(json!({ "now": projects.0.clock.now().to_string() })))
}

type Pairs = Vec<(String, String)>;

/// What a click on a letter's link does.
async fn action(State(projects): State<Projects>, Query(query): Query<Pairs>) -> Response {
    match act(&projects, &query).await {
        Ok(response) => response,
        Err(Refusal::Protocol(_, why, _)) => explain(&why, true),
        Err(why) => why.into_response(),
    }
}

fn explain(error: &str, with_instructions: bool) -> Response {
    let mut said = json!({ "error": error });
    if with_instructions {
        said["instructions"] = "Ask for a new code and follow its link.".into();
    }
    (StatusCode::BAD_REQUEST, axum::Json(json!({ "authEmulator": said }))).into_response()
}

async fn act(projects: &Projects, query: &Pairs) -> Answer<Response> {
    let field = |name: &str| {
        let found = query.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str());
        found.filter(|value| !value.is_empty())
    };
    let (Some(mode), Some(code), Some(_)) = (field("mode"), field("oobCode"), field("apiKey"))
    else {
        return refuse("mode, oobCode and apiKey are needed");
    };
    let back = field("continueUrl");
    let identity = projects.main().await?;
    let call = |fields: Value| Call::new(&identity, Body::from(fields));
    let (said, done) = match mode {
        "resetPassword" => {
            let Some(password) = field("newPassword") else {
                return refuse("add &newPassword=… to the link");
            };
            let done =
                codes::reset_password(&call(json!({ "oobCode": code, "newPassword": password })))
                    .await?;
            ("The password has been changed.", done)
        }
        "verifyEmail" | "recoverEmail" | "verifyAndChangeEmail" => {
            let done = profile::update(&call(json!({ "oobCode": code }))).await?;
            ("The code has been used.", done)
        }
        "signIn" => {
            let Some(back) = back else { return refuse("continueUrl is needed") };
            codes::reset_password(&call(json!({ "oobCode": code }))).await?;
            return Ok(Redirect::to(&carrying(back, query)).into_response());
        }
        _ => return Ok(explain("The mode is not known.", false)),
    };
    if let Some(back) = back {
        return Ok(Redirect::to(back).into_response());
    }
    let mut told = json!({ "success": said });
    let name = if mode == "verifyAndChangeEmail" { "newEmail" } else { "email" };
    told[name] = done[name].clone();
    Ok(axum::Json(json!({ "authEmulator": told })).into_response())
}

/// A link with all of the query but itself added.
fn carrying(back: &str, query: &Pairs) -> String {
    let joint = if back.contains('?') { '&' } else { '?' };
    let carried = query.iter().filter(|(name, _)| name != "continueUrl");
    let carried = Serializer::new(String::new()).extend_pairs(carried).finish();
    format!("{back}{joint}{carried}")
}
