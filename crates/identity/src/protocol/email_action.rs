//! E-mail action pages: the targets of the links in e-mails, for `haat identity` without a shop, which
//! has its own. A GET changes nothing, because mail scanners follow links; a POST applies the code. The link's
//! parameter `lang` is the language of the e-mail, and of the page.

use std::sync::Arc;

use axum::Router;
use axum::extract::{Form, Query, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::get;
use messages::Messages;
use platform::Language;
use platform::html::escape;
use serde_json::json;

use crate::flows::call::Call;
use crate::flows::{account, email_actions};
use crate::html_page::localized_page;
use crate::passwords::MIN_LENGTH;
use crate::services::Services;
use crate::wire::{ApiError, ApiFields, ApiResult, refuse};

pub fn router(identity: Arc<Services>) -> Router {
    let page = get(form_page).post(apply);
    Router::new()
        .route("/auth/action", page.clone())
        .route("/{language}/auth/action", page)
        .with_state(identity)
}

/// The query parameters of an action link.
#[derive(serde::Deserialize)]
struct ActionLink {
    #[serde(default)]
    mode: String,
    #[serde(default, rename = "oobCode")]
    code: String,
    #[serde(default, rename = "continueUrl")]
    continue_url: String,
    #[serde(default, rename = "newPassword")]
    password: String,
    #[serde(default)]
    lang: String,
}

impl ActionLink {
    fn call<'i>(&self, identity: &'i Services, new_password: Option<&str>) -> Call<'i> {
        let fields = json!({ "oobCode": self.code, "newPassword": new_password });
        Call::new(identity, ApiFields::from(fields))
    }

    fn language(&self, identity: &Services) -> Language {
        let languages = &identity.site.languages;
        languages.find(&self.lang).unwrap_or(languages.default_language())
    }

    /// The keys of heading, button label and success message.
    fn messages(&self) -> Option<[&'static str; 3]> {
        match self.mode.as_str() {
            "verifyEmail" => {
                Some(["server.verifyEmail", "server.confirm", "server.verifyEmailDone"])
            }
            "resetPassword" => Some([
                "server.resetPassword",
                "server.resetPasswordButton",
                "server.resetPasswordDone",
            ]),
            "verifyAndChangeEmail" => {
                Some(["server.changeEmail", "server.confirm", "server.changeEmailDone"])
            }
            "recoverEmail" => Some([
                "server.recoverEmail",
                "server.recoverEmailButton",
                "server.recoverEmailDone",
            ]),
            _ => None,
        }
    }
}

async fn form_page(
    State(identity): State<Arc<Services>>,
    Query(link): Query<ActionLink>,
) -> Response {
    let language = link.language(&identity);
    render_form(&identity, &link, None).await.unwrap_or_else(|why| error_page(language, why))
}

/// The form that applies the code, with the key of the last submission's error.
async fn render_form(
    identity: &Services,
    link: &ActionLink,
    error: Option<&str>,
) -> ApiResult<Response> {
    let language = link.language(identity);
    let text = |key| escape(&Messages::text(language, key, &[("length", &MIN_LENGTH)]));
    let code = email_actions::reset_password(&link.call(identity, None)).await?;
    if link.mode == "signIn" {
        return Ok(redirect_to_app(identity, link));
    }
    let Some([heading, button, _]) = link.messages() else { return refuse("INVALID_OOB_CODE") };
    let address = code["newEmail"].as_str().or(code["email"].as_str()).unwrap_or_default();
    let hidden = |name: &str, value: &str| {
        format!("<input type=\"hidden\" name=\"{name}\" value=\"{}\">", escape(value))
    };
    let username =
        hidden("username", address).replace("hidden\"", "hidden\" autocomplete=\"username\"");
    let password = if link.mode == "resetPassword" {
        format!(
            "<label>{}<input name=\"newPassword\" type=\"password\" required \
             autocomplete=\"new-password\" maxlength=\"4096\"></label>",
            text("server.newPassword")
        )
    } else {
        String::new()
    };
    let status = if error.is_none() { StatusCode::OK } else { StatusCode::BAD_REQUEST };
    let error = error.map(|key| format!("<p role=\"alert\">{}</p>", text(key)));
    let (error, button) = (error.unwrap_or_default(), text(button));
    let content = format!(
        "<p>{}</p><form method=\"post\">{}{}{}{}{username}{password}{error}\
         <button class=\"main\">{button}</button></form>",
        escape(address),
        hidden("mode", &link.mode),
        hidden("oobCode", &link.code),
        hidden("continueUrl", &link.continue_url),
        hidden("lang", &link.lang),
    );
    let heading = Messages::text(language, heading, &[]);
    Ok(localized_page(language, status, &heading, "", &content))
}

/// A sign-in link redirects to the app that requested it, with all of its parameters.
fn redirect_to_app(identity: &Services, link: &ActionLink) -> Response {
    let language = link.language(identity);
    if !email_actions::is_allowed_url(identity, &link.continue_url) {
        return message_page(language, StatusCode::OK, "server.signIn", "server.signInElsewhere");
    }
    let (url, fragment) = link.continue_url.split_once('#').unwrap_or((&link.continue_url, ""));
    let separator = if url.contains('?') { '&' } else { '?' };
    let query = form_urlencoded::Serializer::new(String::new())
        .append_pair("mode", &link.mode)
        .append_pair("oobCode", &link.code)
        .append_pair("apiKey", &identity.settings.api_key)
        .append_pair("lang", language.as_str())
        .finish();
    let fragment = if fragment.is_empty() { String::new() } else { format!("#{fragment}") };
    Redirect::to(&format!("{url}{separator}{query}{fragment}")).into_response()
}

async fn apply(State(identity): State<Arc<Services>>, Form(link): Form<ActionLink>) -> Response {
    let language = link.language(&identity);
    let done = match link.mode.as_str() {
        "resetPassword" => {
            email_actions::reset_password(&link.call(&identity, Some(&link.password))).await
        }
        _ if link.messages().is_some() => account::update(&link.call(&identity, None)).await,
        _ => refuse("INVALID_OOB_CODE"),
    };
    match done {
        Ok(_) => {
            let text = |key| Messages::text(language, key, &[]);
            let [_, _, done] = link.messages().unwrap_or_default();
            let next = if email_actions::is_allowed_url(&identity, &link.continue_url) {
                let (url, label) = (escape(&link.continue_url), text("server.continue"));
                format!("<p><a href=\"{url}\">{}</a></p>", escape(&label))
            } else {
                String::new()
            };
            localized_page(language, StatusCode::OK, &text(done), "", &next)
        }
        Err(ApiError::Protocol(_, why, None)) if why.contains("PASSWORD") => {
            let error = match why.starts_with("WEAK_PASSWORD") {
                true => "server.weakPassword",
                false => "server.passwordRequirements",
            };
            let form = render_form(&identity, &link, Some(error)).await;
            form.unwrap_or_else(|why| error_page(language, why))
        }
        Err(why) => error_page(language, why),
    }
}

fn error_page(language: Language, why: ApiError) -> Response {
    match why {
        ApiError::Protocol(_, why, _) => {
            let text = match why.split(" : ").next().unwrap_or_default() {
                "EXPIRED_OOB_CODE" => "server.linkExpired",
                "USER_DISABLED" => "server.accountClosed",
                "EMAIL_EXISTS" => "server.emailTaken",
                _ => "server.linkInvalid",
            };
            message_page(language, StatusCode::BAD_REQUEST, "server.linkFailed", text)
        }
        internal => internal.into_response(),
    }
}

/// A heading and a sentence.
fn message_page(language: Language, status: StatusCode, heading: &str, text: &str) -> Response {
    let [heading, text] = [heading, text].map(|key| Messages::text(language, key, &[]));
    let content = format!("<p>{}</p>", escape(&text));
    localized_page(language, status, &heading, "", &content)
}
