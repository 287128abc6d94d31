//! The operations of the protocol: their names and paths, today's and those of older SDKs, and the flow
//! that each of them runs.

use axum::http::{Method, StatusCode};

use crate::flows::call::Call;
use crate::flows::{
    account, admin, email_actions, import, phone, project, second_factor, sign_in, social,
};
use crate::sessions;
use crate::wire::{ApiResult, google_error};

pub const TOOLKIT: &str = "/identitytoolkit.googleapis.com/";
pub const SECURE_TOKEN: &str = "/securetoken.googleapis.com/";
pub const LEGACY: &str = "/www.googleapis.com/identitytoolkit/v3/relyingparty/";

/// An operation, parsed from a path.
pub struct Operation<'p> {
    pub name: &'p str,
    pub project: Option<&'p str>,
    pub tenant: bool,
    /// Whether it is a path of older SDKs.
    legacy: bool,
}

const CLIENT_OPS: [&str; 20] = [
    "signUp",
    "signInWithPassword",
    "signInWithCustomToken",
    "signInWithEmailLink",
    "signInWithIdp",
    "signInWithPhoneNumber",
    "sendVerificationCode",
    "lookup",
    "update",
    "delete",
    "sendOobCode",
    "resetPassword",
    "createAuthUri",
    "mfaEnrollment:start",
    "mfaEnrollment:finalize",
    "mfaEnrollment:withdraw",
    "mfaSignIn:start",
    "mfaSignIn:finalize",
    "token",
    "revokeToken",
];
const ADMIN_OPS: [&str; 9] = [
    "signUp",
    "lookup",
    "update",
    "delete",
    "sendOobCode",
    "query",
    "batchCreate",
    "batchDelete",
    "createSessionCookie",
];
const GET_OPS: [&str; 6] =
    ["projects", "passwordPolicy", "recaptchaConfig", "recaptchaParams", "batchGet", "config"];
/// Operation names of older SDKs, and today's.
const LEGACY_NAMES: [(&str, &str); 13] = [
    ("signupNewUser", "signUp"),
    ("verifyPassword", "signInWithPassword"),
    ("verifyCustomToken", "signInWithCustomToken"),
    ("emailLinkSignin", "signInWithEmailLink"),
    ("verifyAssertion", "signInWithIdp"),
    ("verifyPhoneNumber", "signInWithPhoneNumber"),
    ("getAccountInfo", "lookup"),
    ("setAccountInfo", "update"),
    ("deleteAccount", "delete"),
    ("getOobConfirmationCode", "sendOobCode"),
    ("getRecaptchaParam", "recaptchaParams"),
    ("uploadAccount", "batchCreate"),
    ("downloadAccount", "batchGet"),
];

/// All paths of the service, for tests that call every operation.
pub fn operation_paths(project: &str) -> Vec<(Method, String)> {
    let client = CLIENT_OPS.into_iter().chain(GET_OPS[..4].iter().copied()).map(|op| match op {
        "token" => format!("{SECURE_TOKEN}v1/token"),
        "projects" | "passwordPolicy" | "recaptchaConfig" | "recaptchaParams" => {
            format!("{TOOLKIT}v1/{op}")
        }
        _ if op.starts_with("mfa") => format!("{TOOLKIT}v2/accounts/{op}"),
        _ => format!("{TOOLKIT}v1/accounts:{op}"),
    });
    let admin = ADMIN_OPS.into_iter().chain(["batchGet"]);
    let admin = admin.map(|op| format!("{TOOLKIT}v1/projects/{project}/accounts:{op}"));
    let config = format!("{TOOLKIT}v2/projects/{project}/config");
    let old = LEGACY_NAMES.iter().map(|(old, _)| format!("{LEGACY}{old}"));
    let all = client.chain(admin).chain([config.clone()]).chain(old);
    let all = all.filter_map(|path| Some((Operation::parse(&path)?.method(), path)));
    all.chain([(Method::PATCH, config)]).collect()
}

impl<'p> Operation<'p> {
    pub fn parse(path: &'p str) -> Option<Self> {
        let own = |name| Self { name, project: None, tenant: false, legacy: false };
        if let Some(verb) = path.strip_prefix(LEGACY) {
            let renamed = LEGACY_NAMES.iter().find(|(old, _)| *old == verb).map(|(_, new)| *new);
            let operation = Self { legacy: true, ..own(renamed.unwrap_or(verb)) };
            return Some(operation).filter(|operation| renamed.is_some() || operation.is_known());
        }
        if path == "/securetoken.googleapis.com/v1/token" {
            return Some(own("token"));
        }
        let path = path.strip_prefix(TOOLKIT)?;
        let path = path.strip_prefix("v1/").or_else(|| path.strip_prefix("v2/"))?;
        let operation = if let Some(rest) = path.strip_prefix("projects/") {
            let (project, rest) = rest.split_at(rest.find([':', '/'])?);
            let tenant = rest.starts_with("/tenants");
            let verb = rest.strip_prefix("/accounts:").or_else(|| rest.strip_prefix(':'));
            let verb = match rest {
                "/accounts" => Some("signUp"),
                "/config" => Some("config"),
                _ if tenant => Some("signUp"),
                _ => verb,
            };
            let known = |op: &&str| ADMIN_OPS.contains(op) || ["batchGet", "config"].contains(op);
            Self { name: verb.filter(known)?, project: Some(project), tenant, legacy: false }
        } else {
            own(path
                .strip_prefix("accounts")
                .map_or(path, |verb| verb.trim_start_matches([':', '/'])))
        };
        Some(operation).filter(Self::is_known)
    }

    fn is_known(&self) -> bool {
        self.is_for_clients() || self.project.is_some()
    }

    /// Whether it needs no project in its path.
    pub fn is_for_clients(&self) -> bool {
        CLIENT_OPS.contains(&self.name) || GET_OPS[..4].contains(&self.name)
    }

    pub fn allows_method(&self, method: &Method) -> bool {
        *method == self.method() || (self.name == "config" && method == Method::PATCH)
    }

    fn method(&self) -> Method {
        let reads = GET_OPS.contains(&self.name) && !(self.legacy && self.name == "batchGet");
        if reads { Method::GET } else { Method::POST }
    }
}

pub async fn run_operation(operation: &str, call: &Call<'_>) -> ApiResult {
    match operation {
        "signUp" if call.admin => admin::create(call).await,
        "signUp" => sign_in::sign_up(call).await,
        "signInWithPassword" => sign_in::sign_in_with_password(call).await,
        "signInWithCustomToken" => sign_in::sign_in_with_custom_token(call).await,
        "signInWithEmailLink" => email_actions::sign_in_with_link(call).await,
        "signInWithIdp" => social::sign_in(call).await,
        "signInWithPhoneNumber" => phone::sign_in(call).await,
        "sendVerificationCode" => phone::send_code(call).await,
        "lookup" if call.admin => admin::lookup(call).await,
        "lookup" => account::lookup(call).await,
        "update" => account::update(call).await,
        "delete" => account::delete(call).await,
        "sendOobCode" => email_actions::send_code(call).await,
        "resetPassword" => email_actions::reset_password(call).await,
        "createAuthUri" => account::create_auth_uri(call).await,
        "mfaEnrollment:start" => second_factor::start_enrollment(call).await,
        "mfaEnrollment:finalize" => second_factor::finalize_enrollment(call).await,
        "mfaEnrollment:withdraw" => second_factor::withdraw(call).await,
        "mfaSignIn:start" => second_factor::start_sign_in(call).await,
        "mfaSignIn:finalize" => second_factor::finalize_sign_in(call).await,
        "token" => sessions::refresh(call.identity, &call.body, call.agent.as_deref()).await,
        "batchGet" => admin::list(call).await,
        "query" => admin::query(call).await,
        "batchCreate" => import::import(call).await,
        "batchDelete" => admin::delete_all(call).await,
        "createSessionCookie" => admin::create_session_cookie(call).await,
        "config" => Ok(project::config(call.identity)),
        "projects" => Ok(project::project(call.identity)),
        "passwordPolicy" => Ok(project::password_policy(call.identity)),
        "recaptchaConfig" => Ok(project::recaptcha_config()),
        "recaptchaParams" => Ok(project::recaptcha_params()),
        _ => Err(google_error(StatusCode::NOT_IMPLEMENTED, "Not implemented.")),
    }
}
