//! E-mail action pages: the targets of the links in e-mails, for `haat identity` without a shop, which
//! has its own. A GET changes nothing, because mail scanners follow links; a POST applies the code.

use std::sync::Arc;

use axum::Router;
use axum::extract::{Form, Query, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::get;
use platform::html::escape;
use serde_json::json;

use crate::flows::call::Call;
use crate::flows::{account, email_actions};
use crate::html_page::html_page;
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
}

impl ActionLink {
    fn call<'i>(&self, identity: &'i Services, new_password: Option<&str>) -> Call<'i> {
        let fields = json!({ "oobCode": self.code, "newPassword": new_password });
        Call::new(identity, ApiFields::from(fields))
    }

    /// Heading, button label and success message.
    fn texts(&self) -> Option<[&'static str; 3]> {
        match self.mode.as_str() {
            "verifyEmail" => {
                Some(["Confirm your address", "Confirm", "Your address is confirmed."])
            }
            "resetPassword" => {
                Some(["Choose a new password", "Set the password", "Your password is changed."])
            }
            "verifyAndChangeEmail" => {
                Some(["Confirm your new address", "Confirm", "Your address is changed."])
            }
            "recoverEmail" => {
                Some(["Undo the change of your address", "Undo it", "Your old address is back."])
            }
            _ => None,
        }
    }
}

async fn form_page(
    State(identity): State<Arc<Services>>,
    Query(link): Query<ActionLink>,
) -> Response {
    render_form(&identity, &link, "").await.unwrap_or_else(error_page)
}

/// The form that applies the code, with the error of the last submission.
async fn render_form(identity: &Services, link: &ActionLink, error: &str) -> ApiResult<Response> {
    let code = email_actions::reset_password(&link.call(identity, None)).await?;
    if link.mode == "signIn" {
        return Ok(redirect_to_app(identity, link));
    }
    let Some([heading, button, _]) = link.texts() else { return refuse("INVALID_OOB_CODE") };
    let address = code["newEmail"].as_str().or(code["email"].as_str()).unwrap_or_default();
    let hidden = |name: &str, value: &str| {
        format!("<input type=\"hidden\" name=\"{name}\" value=\"{}\">", escape(value))
    };
    let username =
        hidden("username", address).replace("hidden\"", "hidden\" autocomplete=\"username\"");
    let password = if link.mode == "resetPassword" {
        "<label>New password<input name=\"newPassword\" type=\"password\" required \
         autocomplete=\"new-password\" maxlength=\"4096\"></label>"
    } else {
        ""
    };
    let error = match error {
        "" => String::new(),
        error => format!("<p role=\"alert\">{}</p>", escape(error)),
    };
    let content = format!(
        "<p>{}</p><form method=\"post\">{}{}{}{username}{password}{error}\
         <button class=\"main\">{button}</button></form>",
        escape(address),
        hidden("mode", &link.mode),
        hidden("oobCode", &link.code),
        hidden("continueUrl", &link.continue_url),
    );
    let status = if error.is_empty() { StatusCode::OK } else { StatusCode::BAD_REQUEST };
    Ok(html_page(status, heading, "", &content))
}

/// A sign-in link redirects to the app that requested it, with all of its parameters.
fn redirect_to_app(identity: &Services, link: &ActionLink) -> Response {
    if !email_actions::is_allowed_url(identity, &link.continue_url) {
        let text = "<p>Please open the link on the device where you asked for it.</p>";
        return html_page(StatusCode::OK, "Sign in", "", text);
    }
    let (url, fragment) = link.continue_url.split_once('#').unwrap_or((&link.continue_url, ""));
    let separator = if url.contains('?') { '&' } else { '?' };
    let query = form_urlencoded::Serializer::new(String::new())
        .append_pair("mode", &link.mode)
        .append_pair("oobCode", &link.code)
        .append_pair("apiKey", &identity.settings.api_key)
        .append_pair("lang", "en")
        .finish();
    let fragment = if fragment.is_empty() { String::new() } else { format!("#{fragment}") };
    Redirect::to(&format!("{url}{separator}{query}{fragment}")).into_response()
}

async fn apply(State(identity): State<Arc<Services>>, Form(link): Form<ActionLink>) -> Response {
    let done = match link.mode.as_str() {
        "resetPassword" => {
            email_actions::reset_password(&link.call(&identity, Some(&link.password))).await
        }
        _ if link.texts().is_some() => account::update(&link.call(&identity, None)).await,
        _ => refuse("INVALID_OOB_CODE"),
    };
    match done {
        Ok(_) => {
            let [_, _, done_text] = link.texts().unwrap_or_default();
            let next = if email_actions::is_allowed_url(&identity, &link.continue_url) {
                format!("<p><a href=\"{}\">Go on</a></p>", escape(&link.continue_url))
            } else {
                String::new()
            };
            html_page(StatusCode::OK, done_text, "", &next)
        }
        Err(ApiError::Protocol(_, why, None)) if why.contains("PASSWORD") => {
            let text = why.split_once(" : ").map_or(&*why, |(_, text)| text);
            render_form(&identity, &link, text).await.unwrap_or_else(error_page)
        }
        Err(why) => error_page(why),
    }
}

fn error_page(why: ApiError) -> Response {
    match why {
        ApiError::Protocol(_, why, _) => {
            let text = match why.split(" : ").next().unwrap_or_default() {
                "EXPIRED_OOB_CODE" => "The link has expired. Please ask for a new one.",
                "USER_DISABLED" => "The account is closed.",
                "EMAIL_EXISTS" => "Another account has this address.",
                _ => "The link does not work any more. It may have been used already.",
            };
            let content = format!("<p>{text}</p>");
            html_page(StatusCode::BAD_REQUEST, "That did not work", "", &content)
        }
        internal => internal.into_response(),
    }
}
