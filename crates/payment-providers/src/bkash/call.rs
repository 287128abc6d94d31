//! Calls of bKash's API, and its four forms of errors: `statusCode` with status 200, `errorCode`, `externalCode` with
//! status 400 for refunds, and `message` of the gateway in front.

use axum::http::{Method, StatusCode};
use serde_json::Value;

use super::{Bkash, PATH};
use crate::api::Answer;
use crate::{GatewayError, GatewayResult};

const SUCCESS: &str = "0000";
/// A failure at bKash's end, after which it is not known whether the call took effect: process failed, exceptions,
/// maintenance, system error.
const UNCLEAR: [&str; 5] = ["2003", "2020", "2024", "503", "9999"];

impl Bkash {
    pub(super) async fn call(&self, path: &str, body: &Value) -> GatewayResult<Answer> {
        self.call_at(&format!("{}{PATH}/{path}", self.base_url), body).await
    }

    /// A token that bKash does not accept any more is replaced once. The gateway in front has refused the call then, so
    /// that it had no effect.
    pub(super) async fn call_at(&self, url: &str, body: &Value) -> GatewayResult<Answer> {
        let token = self.tokens.token().await?;
        let answer = self.post(url, body, &token).await?;
        if !is_token_refused(&answer) {
            return interpret(answer);
        }
        let token = self.tokens.replace(&token).await?;
        interpret(self.post(url, body, &token).await?)
    }

    async fn post(&self, url: &str, body: &Value, token: &str) -> GatewayResult<Answer> {
        let fill = self.client.exchange(Method::POST, url, |request| {
            let request = request.header("accept", "application/json");
            let request = request.header("authorization", token);
            request.header("x-app-key", self.app_key.expose()).json(body)
        });
        Answer::read(fill.await)
    }
}

fn is_token_refused(answer: &Answer) -> bool {
    answer.status == StatusCode::UNAUTHORIZED && code(answer).is_empty()
}

fn code(answer: &Answer) -> &str {
    let codes = ["/externalCode", "/errorCode", "/statusCode"].map(|pointer| answer.text(pointer));
    codes.into_iter().find(|code| !code.is_empty()).unwrap_or_default()
}

pub(super) fn interpret(answer: Answer) -> GatewayResult<Answer> {
    let messages = ["/errorMessageEn", "/errorMessage", "/statusMessage", "/message"];
    let messages = messages.map(|pointer| answer.text(pointer));
    let message = messages.into_iter().find(|one| !one.is_empty()).unwrap_or_default();
    let message: String = message.chars().take(200).collect();
    match code(&answer) {
        _ if answer.status.is_server_error() => {
            Err(GatewayError::Unavailable(format!("answered {}: {message}", answer.status)))
        }
        SUCCESS => Ok(answer),
        // Successful refunds have no code.
        "" if answer.status.is_success() && message.is_empty() => Ok(answer),
        "" if answer.status == StatusCode::TOO_MANY_REQUESTS => {
            Err(GatewayError::Unavailable("too many calls".to_owned()))
        }
        "" => Err(GatewayError::refused(answer.status.as_str(), message)),
        code if UNCLEAR.contains(&code) => {
            Err(GatewayError::Unavailable(format!("{code}: {message}")))
        }
        code => Err(GatewayError::refused(code, message)),
    }
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderMap;
    use serde_json::json;

    use super::*;

    fn answer(status: u16, json: Value) -> Answer {
        Answer { status: StatusCode::from_u16(status).unwrap(), headers: HeaderMap::new(), json }
    }

    fn refusal(status: u16, json: Value) -> (String, String) {
        match interpret(answer(status, json)) {
            Err(GatewayError::Refused { code, message }) => (code, message),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn all_forms_of_errors_are_understood() {
        let pair = |code: &str, message: &str| (code.to_owned(), message.to_owned());
        let wrong_id = json!({ "statusCode": "2002", "statusMessage": "Invalid Payment ID" });
        assert_eq!(refusal(200, wrong_id), pair("2002", "Invalid Payment ID"));
        let no_funds = json!({ "errorCode": "2023", "errorMessage": "Insufficient Balance" });
        assert_eq!(refusal(200, no_funds), pair("2023", "Insufficient Balance"));
        let of_refund = json!({
            "internalCode": "invalid_amount", "externalCode": "2072",
            "errorMessageEn": "Invalid amount", "errorMessageBn": null,
        });
        assert_eq!(refusal(400, of_refund), pair("2072", "Invalid amount"));
        let of_gateway = json!({ "message": "Invalid request body" });
        assert_eq!(refusal(400, of_gateway), pair("400", "Invalid request body"));
        let not_there = json!({ "message": "Missing Authentication Token" });
        assert_eq!(refusal(403, not_there), pair("403", "Missing Authentication Token"));
    }

    #[test]
    fn failures_at_bkashs_end_are_unclear() {
        for (status, json) in [
            (
                200,
                json!({ "statusCode": "503", "statusMessage": "System is undergoing maintenance" }),
            ),
            (200, json!({ "statusCode": "9999", "statusMessage": "System error" })),
            (502, json!({ "message": "Internal server error" })),
            (504, json!({ "statusCode": "0000" })),
            (429, json!({ "message": "Too Many Requests" })),
        ] {
            assert!(matches!(interpret(answer(status, json)), Err(GatewayError::Unavailable(_))));
        }
        assert!(interpret(answer(200, json!({ "statusCode": "0000" }))).is_ok());
        assert!(interpret(answer(200, json!({ "refundTrxId": "R" }))).is_ok());
    }

    #[test]
    fn a_refused_token_is_told_from_a_wrong_route() {
        assert!(is_token_refused(&answer(401, json!({ "message": "Unauthorized" }))));
        assert!(!is_token_refused(&answer(
            403,
            json!({ "message": "Missing Authentication Token" })
        )));
        assert!(!is_token_refused(&answer(401, json!({ "statusCode": "2001" }))));
    }
}
