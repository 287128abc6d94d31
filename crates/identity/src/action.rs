//! The pages behind the links in letters, for a service that stands alone: the shop has its own.
//! Nothing is done by following a link, which mail scanners do too; a button does it.

use axum::Router;
use axum::extract::{Form, Query, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::get;
use base::html::escape;
use serde_json::{Value, json};

use crate::http::Call;
use crate::page::page;
use crate::protocol::{Answer, Body, Refusal, refuse};
use crate::{Identity, codes, profile};

pub fn router(identity: Identity) -> Router {
    Router::new().route("/auth/action", get(show).post(act)).with_state(identity)
}

/// What a link carries.
#[derive(serde::Deserialize)]
struct Link {
    #[serde(default)]
    mode: String,
    #[serde(default, rename = "oobCode")]
    code: String,
    #[serde(default, rename = "continueUrl")]
    back: String,
    #[serde(default, rename = "newPassword")]
    password: String,
}

impl Link {
    fn call<'i>(&self, identity: &'i Identity, more: Value) -> Call<'i> {
        let mut fields = json!({ "oobCode": self.code });
        for (name, value) in more.as_object().into_iter().flatten() {
            fields[name] = value.clone();
        }
        Call::new(identity, Body::from(fields))
    }

    /// The heading, what the button says, and what is said afterwards.
    fn words(&self) -> Option<[&'static str; 3]> {
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

async fn show(State(identity): State<Identity>, Query(link): Query<Link>) -> Response {
    match ask(&identity, &link, "").await {
        Ok(response) => response,
        Err(why) => unusable(why),
    }
}

/// The page with the button, and what was wrong with the last try.
async fn ask(identity: &Identity, link: &Link, wrong: &str) -> Answer<Response> {
    let about = codes::reset_password(&link.call(identity, json!({}))).await?;
    if link.mode == "signIn" {
        return Ok(sign_in(identity, link));
    }
    let Some([heading, button, _]) = link.words() else { return refuse("INVALID_OOB_CODE") };
    let address = about["newEmail"].as_str().or(about["email"].as_str()).unwrap_or_default();
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
    let wrong = match wrong {
        "" => String::new(),
        wrong => format!("<p role=\"alert\">{}</p>", escape(wrong)),
    };
    let content = format!(
        "<p>{}</p><form method=\"post\">{}{}{}{username}{password}{wrong}\
         <button class=\"main\">{button}</button></form>",
        escape(address),
        hidden("mode", &link.mode),
        hidden("oobCode", &link.code),
        hidden("continueUrl", &link.back),
    );
    let status = if wrong.is_empty() { StatusCode::OK } else { StatusCode::BAD_REQUEST };
    Ok(page(status, heading, "", &content))
}

/// A sign-in link is for the app that asked for it, which gets all that the link carries.
fn sign_in(identity: &Identity, link: &Link) -> Response {
    if !identity.leads_back(&link.back) {
        let words = "<p>Please open the link on the device where you asked for it.</p>";
        return page(StatusCode::OK, "Sign in", "", words);
    }
    let (back, fragment) = link.back.split_once('#').unwrap_or((&link.back, ""));
    let joint = if back.contains('?') { '&' } else { '?' };
    let carried = form_urlencoded::Serializer::new(String::new())
        .append_pair("mode", &link.mode)
        .append_pair("oobCode", &link.code)
        .append_pair("apiKey", &identity.settings.api_key)
        .append_pair("lang", "en")
        .finish();
    let fragment = if fragment.is_empty() { String::new() } else { format!("#{fragment}") };
    Redirect::to(&format!("{back}{joint}{carried}{fragment}")).into_response()
}

async fn act(State(identity): State<Identity>, Form(link): Form<Link>) -> Response {
    let done = match link.mode.as_str() {
        "resetPassword" => {
            let password = json!({ "newPassword": link.password });
            codes::reset_password(&link.call(&identity, password)).await
        }
        _ if link.words().is_some() => profile::update(&link.call(&identity, json!({}))).await,
        _ => refuse("INVALID_OOB_CODE"),
    };
    match done {
        Ok(_) => {
            let [_, _, said] = link.words().unwrap_or_default();
            let on = if identity.leads_back(&link.back) {
                format!("<p><a href=\"{}\">Go on</a></p>", escape(&link.back))
            } else {
                String::new()
            };
            page(StatusCode::OK, said, "", &on)
        }
        Err(Refusal::Protocol(_, why, None)) if why.contains("PASSWORD") => {
            let words = why.split_once(" : ").map_or(&*why, |(_, words)| words);
            match ask(&identity, &link, words).await {
                Ok(response) => response,
                Err(why) => unusable(why),
            }
        }
        Err(why) => unusable(why),
    }
}

fn unusable(why: Refusal) -> Response {
    match why {
        Refusal::Protocol(_, why, _) => {
            let words = match why.split(" : ").next().unwrap_or_default() {
                "EXPIRED_OOB_CODE" => "The link has expired. Please ask for a new one.",
                "USER_DISABLED" => "The account is closed.",
                "EMAIL_EXISTS" => "Another account has this address.",
                _ => "The link does not work any more. It may have been used already.",
            };
            let content = format!("<p>{words}</p>");
            page(StatusCode::BAD_REQUEST, "That did not work", "", &content)
        }
        house => house.into_response(),
    }
}
