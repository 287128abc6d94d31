//! `accounts:signInWithIdp`: signs in with a social provider's credential, and finds, creates or links
//! the account.

use serde_json::{Value, json};

use super::call::Call;
use super::emails;
use crate::accounts::{self, Account, LinkedProvider};
use crate::keys::unsigned_claims;
use crate::popup::codes::{self, CODE_PREFIX};
use crate::rate_limit::PER_NETWORK;
use crate::services::Services;
use crate::sessions::{self, SignInOutcome, revoke_sessions};
use crate::social::{FACEBOOK, GOOGLE, IdpProfile, IdpTokens};
use crate::wire::{ApiError, ApiResult, JwtClaims, emulator_email, refuse, without_nulls};

/// The provider's response, as the SDK sends it.
#[derive(Default)]
struct IdpResponse {
    provider: String,
    id_token: Option<String>,
    access_token: Option<String>,
    nonce: Option<String>,
}

pub async fn sign_in(call: &Call<'_>) -> ApiResult {
    let Call { identity, body, .. } = call;
    let Some(uri) = body.filled("requestUri")? else { return refuse("MISSING_REQUEST_URI") };
    if !uri.starts_with("http://") && !uri.starts_with("https://") {
        return refuse("INVALID_REQUEST_URI");
    }
    let response = IdpResponse::parse(uri, body.string("postBody")?.unwrap_or_default());
    if response.provider.is_empty() {
        return refuse(
            "INVALID_CREDENTIAL_OR_PROVIDER_ID : Invalid IdP response/credential: there is no \
             providerId.",
        );
    }
    let profile = call.profile.get_or_try_init(|| response.profile(call)).await?;
    let mut answer = response_json(identity, profile, &response);
    match sign_in_with_profile(call, profile).await {
        Ok(outcome) => {
            outcome.write_to(&mut answer);
            Ok(answer)
        }
        // With `returnIdpCredential` the SDK gets the credential with the error, to link it later.
        Err(ApiError::Protocol(_, why, None))
            if body.bool("returnIdpCredential")? == Some(true)
                && ["EMAIL_EXISTS", "FEDERATED_USER_ID_ALREADY_LINKED"].contains(&&*why) =>
        {
            answer["errorMessage"] = why.into();
            Ok(answer)
        }
        Err(why) => Err(why),
    }
}

impl IdpResponse {
    /// From the form in the body, or from the redirect URI.
    fn parse(uri: &str, body: &str) -> Self {
        let mut response = Self::default();
        let in_uri = uri.split(['?', '#']).skip(1);
        for text in in_uri.chain([body.trim_start_matches('&')]) {
            for (name, value) in form_urlencoded::parse(text.as_bytes()) {
                let value = Some(value.into_owned()).filter(|value| !value.is_empty());
                match &*name {
                    "providerId" => response.provider = value.unwrap_or_default(),
                    "id_token" => response.id_token = value,
                    "access_token" => response.access_token = value,
                    "nonce" => response.nonce = value,
                    _ => {}
                }
            }
        }
        response
    }

    /// The verified profile; an emulator does not verify it.
    async fn profile(&self, call: &Call<'_>) -> ApiResult<IdpProfile> {
        let identity = call.identity;
        let token = self.id_token.as_deref().or(self.access_token.as_deref());
        let Some(token) = token else {
            return refuse(
                "INVALID_IDP_RESPONSE : There is neither an id_token nor an access_token.",
            );
        };
        if identity.is_emulator() {
            return emulator_profile(&self.provider, token);
        }
        if token.starts_with(CODE_PREFIX) {
            return codes::redeem(identity, &self.provider, token).await;
        }
        // ID tokens are verified locally; for others the provider is asked, which is limited.
        let asks_provider = self.id_token.is_none() || self.provider == FACEBOOK;
        if asks_provider {
            call.check_limits(call.network_limit("tokens", PER_NETWORK)).await?;
        }
        let tokens = IdpTokens {
            id_token: self.id_token.as_deref(),
            access_token: self.access_token.as_deref(),
            nonce: self.nonce.as_deref(),
        };
        identity.providers.verify(&self.provider, tokens).await
    }
}

/// The emulator accepts unsigned tokens, or their claims as JSON.
fn emulator_profile(provider: &str, token: &str) -> ApiResult<IdpProfile> {
    let claims: Option<JwtClaims> =
        serde_json::from_str(token).ok().or_else(|| unsigned_claims(token));
    let text = |name: &str| {
        claims.as_ref()?.get(name)?.as_str().filter(|text| !text.is_empty()).map(str::to_owned)
    };
    let Some(raw_id) = text("sub") else {
        return refuse("INVALID_IDP_RESPONSE : Unable to parse the token, or it has no sub.");
    };
    let google = provider == GOOGLE;
    Ok(IdpProfile {
        provider_id: provider.into(),
        raw_id,
        email: text("email").and_then(|address| emulator_email(&address)),
        email_verified: claims.as_ref().and_then(|claims| claims.get("email_verified"))
            == Some(&Value::Bool(true)),
        display_name: text("name"),
        first_name: text("given_name").filter(|_| google),
        last_name: text("family_name").filter(|_| google),
        photo_url: text("picture"),
        screen_name: text("screen_name"),
        claims: claims.unwrap_or_default(),
    })
}

/// The part of the response that does not depend on the account.
fn response_json(identity: &Services, profile: &IdpProfile, response: &IdpResponse) -> Value {
    let IdpResponse { id_token, access_token, .. } = response;
    // A one-time code is used up, so it is not returned as a credential.
    let is_code = |token: &String| token.starts_with(CODE_PREFIX);
    let used_up = [id_token, access_token].into_iter().flatten().any(is_code);
    let token = |token: &Option<String>| token.clone().filter(|_| !used_up);
    let fake_token = || format!("FirebaseAuthEmulatorFakeAccessToken_{}", profile.provider_id);
    let (federated_id, raw) = if profile.provider_id == GOOGLE {
        (format!("https://accounts.google.com/{}", profile.raw_id), google_user(profile))
    } else {
        (profile.raw_id.clone(), json!(profile.claims))
    };
    without_nulls(json!({
        "kind": "identitytoolkit#VerifyAssertionResponse",
        "context": "",
        "providerId": profile.provider_id,
        "federatedId": federated_id,
        "displayName": profile.display_name,
        "fullName": profile.display_name,
        "firstName": profile.first_name,
        "lastName": profile.last_name,
        "screenName": profile.screen_name,
        "photoUrl": profile.photo_url,
        "email": profile.email,
        "emailVerified": profile.email.as_ref().map(|_| profile.email_verified),
        "rawUserInfo": raw.to_string(),
        "oauthAccessToken": token(access_token).or_else(|| identity.is_emulator().then(fake_token)),
        "oauthIdToken": token(id_token),
    }))
}

/// `rawUserInfo` as Google sends it.
fn google_user(profile: &IdpProfile) -> Value {
    without_nulls(json!({
        "granted_scopes": "openid https://www.googleapis.com/auth/userinfo.profile \
                           https://www.googleapis.com/auth/userinfo.email",
        "id": profile.raw_id,
        "name": profile.display_name,
        "given_name": profile.first_name,
        "family_name": profile.last_name,
        "verified_email": profile.email_verified,
        "locale": "en",
        "email": profile.email,
        "picture": profile.photo_url,
    }))
}

/// The result for the account.
enum IdpSignIn {
    SignedIn {
        account: Account,
        is_new: bool,
        outcome: SignInOutcome,
    },
    /// Another account has the e-mail address, which the provider has not verified.
    ConfirmationRequired(Account),
}

impl IdpSignIn {
    fn write_to(self, answer: &mut Value) {
        match self {
            Self::SignedIn { account, is_new, outcome } => {
                answer["localId"] = account.id.as_str().into();
                if is_new {
                    answer["isNewUser"] = true.into();
                } else if account.email.as_deref() == answer["email"].as_str() {
                    // The account may know better than the provider.
                    answer["emailVerified"] = account.has_verified_email().into();
                }
                outcome.write_to(answer);
            }
            Self::ConfirmationRequired(account) => {
                answer["needConfirmation"] = true.into();
                answer["localId"] = account.id.as_str().into();
                let known = account.providers.iter().map(|known| known.provider_id.as_str());
                answer["verifiedProvider"] = known.collect::<Vec<_>>().into();
            }
        }
    }
}

/// Finds or creates the account, and signs in.
async fn sign_in_with_profile(call: &Call<'_>, profile: &IdpProfile) -> ApiResult<IdpSignIn> {
    let Call { identity, body, .. } = call;
    let known =
        accounts::find_by_provider(&identity.db, &profile.provider_id, &profile.raw_id).await?;
    if let Some(token) = body.filled("idToken")? {
        let session = sessions::authenticate(identity, Some(token)).await?;
        sessions::check_link_allowed(identity, &session)?;
        if known.is_some() {
            return refuse("FEDERATED_USER_ID_ALREADY_LINKED");
        }
        return link(call, session.account, profile).await;
    }
    let mut revoke = false;
    let (account, is_new) = match (known, find_same_email(identity, profile).await?) {
        (Some(known), _) => (known, false),
        (None, Some(account)) if profile.email_verified => {
            revoke = !account.has_verified_email();
            (merge(identity, account, profile), false)
        }
        (None, Some(account)) => return Ok(IdpSignIn::ConfirmationRequired(account)),
        (None, None) => {
            let mut account = identity.new_account();
            account.display_name = profile.display_name.clone();
            account.photo_url = profile.photo_url.clone();
            set_email(identity, &mut account, profile);
            (account, true)
        }
    };
    if account.disabled {
        return refuse("USER_DISABLED");
    }
    save_and_sign_in(call, account, profile, revoke, is_new).await
}

/// The account with the profile's e-mail address. Where accounts may share an address, social accounts
/// have none of their own.
async fn find_same_email(identity: &Services, profile: &IdpProfile) -> ApiResult<Option<Account>> {
    match &profile.email {
        Some(address) if !identity.allows_duplicate_emails() => {
            Ok(accounts::find_by_email(&identity.db, address).await?)
        }
        _ => Ok(None),
    }
}

fn set_email(identity: &Services, account: &mut Account, profile: &IdpProfile) {
    if !identity.allows_duplicate_emails() {
        account.email = profile.email.clone();
        account.email_verified = profile.email.as_ref().map(|_| profile.email_verified);
    }
}

/// Adds a verified profile to the account with the same e-mail address. If that account's address was
/// not verified, somebody else may have created it, so its credentials and profile are removed.
fn merge(identity: &Services, mut account: Account, profile: &IdpProfile) -> Account {
    if !account.has_verified_email() {
        let providers = account.providers.clone();
        account.drop_unverified_profile();
        if identity.is_emulator() {
            account.providers = providers;
        } else {
            account.revoke_tokens(identity.clock.now());
        }
    }
    account.email_verified = Some(true);
    account.display_name = profile.display_name.clone().or(account.display_name);
    account.photo_url = profile.photo_url.clone().or(account.photo_url);
    account
}

/// Links the provider to the account behind the ID token.
async fn link(call: &Call<'_>, mut account: Account, profile: &IdpProfile) -> ApiResult<IdpSignIn> {
    let identity = call.identity;
    let other = find_same_email(identity, profile).await?;
    if other.is_some_and(|other| other.id != account.id) {
        return refuse("EMAIL_EXISTS");
    }
    if account.email.is_none() {
        set_email(identity, &mut account, profile);
    } else if account.email == profile.email && profile.email_verified {
        account.email_verified = Some(true);
    }
    save_and_sign_in(call, account, profile, false, false).await
}

/// Links the provider, and opens a session.
async fn save_and_sign_in(
    call: &Call<'_>,
    mut account: Account,
    profile: &IdpProfile,
    revoke: bool,
    is_new: bool,
) -> ApiResult<IdpSignIn> {
    let identity = call.identity;
    account.link(LinkedProvider {
        provider_id: profile.provider_id.clone(),
        raw_id: profile.raw_id.clone(),
        federated_id: Some(profile.raw_id.clone()),
        email: profile.email.clone(),
        display_name: profile.display_name.clone(),
        photo_url: profile.photo_url.clone(),
        screen_name: profile.screen_name.clone(),
    });
    let mut tx = identity.db.begin().await?;
    if revoke {
        revoke_sessions(&mut tx, &account.id).await?;
    }
    let outcome =
        call.begin_session(&mut tx, &mut account, &profile.provider_id, "sign_in").await?;
    accounts::save_providers(&mut tx, &account).await?;
    if let Some(address) = &account.email
        && is_new
        && account.has_verified_email()
    {
        emails::enqueue_welcome(call, &mut tx, address)?;
    }
    tx.commit().await?;
    Ok(IdpSignIn::SignedIn { account, is_new, outcome })
}
