//! `accounts:signInWithIdp`: what a provider says of somebody, and whose account that is.

use serde_json::{Map, Value, json};

use super::popup::{ONE_TIME, redeem};
use super::providers::{FACEBOOK, GOOGLE, Profile, Proof};
use crate::Identity;
use crate::accounts::{self, Account, AccountId, Provider, object};
use crate::http::Call;
use crate::keys::unsigned_claims;
use crate::letters;
use crate::protocol::{Answer, Refusal, emulated_email, refuse};
use crate::sessions::{Entrance, revoke_all};
use crate::sign_in::TOO_MANY;

/// What was brought from the provider, as the SDK sends it.
#[derive(Default)]
struct Brought {
    provider: String,
    id_token: Option<String>,
    access_token: Option<String>,
    nonce: Option<String>,
}

pub async fn sign_in(call: &Call<'_>) -> Answer {
    let Call { identity, body, .. } = call;
    let Some(uri) = body.filled("requestUri")? else { return refuse("MISSING_REQUEST_URI") };
    if !uri.starts_with("http://") && !uri.starts_with("https://") {
        return refuse("INVALID_REQUEST_URI");
    }
    let brought = Brought::read(uri, body.text("postBody")?.unwrap_or_default());
    if brought.provider.is_empty() {
        return refuse(
            "INVALID_CREDENTIAL_OR_PROVIDER_ID : Invalid IdP response/credential: there is no \
             providerId.",
        );
    }
    let profile = call.profile.get_or_try_init(|| brought.profile(call)).await?;
    let mut answer = described(identity, profile, &brought);
    match enter(call, profile).await {
        Ok(outcome) => {
            outcome.put_into(&mut answer);
            Ok(answer)
        }
        // Who asked for the credential gets it with the error, to sign in by it otherwise.
        Err(Refusal::Protocol(_, why, None))
            if body.flag("returnIdpCredential")? == Some(true)
                && ["EMAIL_EXISTS", "FEDERATED_USER_ID_ALREADY_LINKED"].contains(&&*why) =>
        {
            answer["errorMessage"] = why.into();
            Ok(answer)
        }
        Err(why) => Err(why),
    }
}

impl Brought {
    /// From a form in the body, or from the address that the provider sent somebody back to.
    fn read(uri: &str, body: &str) -> Self {
        let mut brought = Self::default();
        let in_uri = uri.split(['?', '#']).skip(1);
        for text in in_uri.chain([body.trim_start_matches('&')]) {
            for (name, value) in form_urlencoded::parse(text.as_bytes()) {
                let value = value.into_owned();
                match &*name {
                    "providerId" => brought.provider = value,
                    "id_token" => brought.id_token = Some(value).filter(|text| !text.is_empty()),
                    "access_token" => {
                        brought.access_token = Some(value).filter(|text| !text.is_empty());
                    }
                    "nonce" => brought.nonce = Some(value),
                    _ => {}
                }
            }
        }
        brought
    }

    /// What the provider says, proven; an emulator believes what it is told.
    async fn profile(&self, call: &Call<'_>) -> Answer<Profile> {
        let identity = call.identity;
        let proof = self.id_token.as_deref().or(self.access_token.as_deref());
        let Some(proof) = proof else {
            return refuse(
                "INVALID_IDP_RESPONSE : There is neither an id_token nor an access_token.",
            );
        };
        if identity.is_lax() {
            return told(&self.provider, proof);
        }
        if proof.starts_with(ONE_TIME) {
            return redeem(identity, &self.provider, proof).await;
        }
        // An ID token is read; whatever else there is, the provider is asked about.
        let asks = self.id_token.is_none() || self.provider == FACEBOOK;
        if asks && !call.may_from_here("tokens").await? {
            return refuse(TOO_MANY);
        }
        let proof = Proof {
            id_token: self.id_token.as_deref(),
            access_token: self.access_token.as_deref(),
            nonce: self.nonce.as_deref(),
        };
        identity.providers.prove(&self.provider, proof).await
    }
}

/// What the emulator takes for a provider's token: one that nobody signed, or its claims alone.
fn told(provider: &str, token: &str) -> Answer<Profile> {
    let claims: Option<Map<String, Value>> =
        serde_json::from_str(token).ok().or_else(|| unsigned_claims(token));
    let text = |name: &str| {
        claims.as_ref()?.get(name)?.as_str().filter(|text| !text.is_empty()).map(str::to_owned)
    };
    let Some(raw_id) = text("sub") else {
        return refuse("INVALID_IDP_RESPONSE : Unable to parse the token, or it has no sub.");
    };
    let google = provider == GOOGLE;
    Ok(Profile {
        provider_id: provider.into(),
        raw_id,
        email: text("email").and_then(|address| emulated_email(&address)),
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

/// What is answered whatever follows.
fn described(identity: &Identity, profile: &Profile, brought: &Brought) -> Value {
    let text = |text: &Option<String>| text.clone().map(Value::from);
    // A code of our own is used up: it is no credential to hand back.
    let token = |token: &Option<String>| text(token).filter(|_| !is_code(brought));
    let made_up = || format!("FirebaseAuthEmulatorFakeAccessToken_{}", profile.provider_id);
    let access =
        token(&brought.access_token).or_else(|| identity.is_lax().then(|| made_up().into()));
    let raw =
        if profile.provider_id == GOOGLE { google_user(profile) } else { json!(profile.claims) };
    object([
        ("kind", Some("identitytoolkit#VerifyAssertionResponse".into())),
        ("context", Some("".into())),
        ("providerId", Some(profile.provider_id.clone().into())),
        ("federatedId", Some(federated_id(profile).into())),
        ("displayName", text(&profile.display_name)),
        ("fullName", text(&profile.display_name)),
        ("firstName", text(&profile.first_name)),
        ("lastName", text(&profile.last_name)),
        ("screenName", text(&profile.screen_name)),
        ("photoUrl", text(&profile.photo_url)),
        ("email", text(&profile.email)),
        ("emailVerified", profile.email.as_ref().map(|_| profile.email_verified.into())),
        ("rawUserInfo", Some(raw.to_string().into())),
        ("oauthAccessToken", access),
        ("oauthIdToken", token(&brought.id_token)),
    ])
}

fn is_code(brought: &Brought) -> bool {
    brought.id_token.as_ref().is_some_and(|token| token.starts_with(ONE_TIME))
        || brought.access_token.as_ref().is_some_and(|token| token.starts_with(ONE_TIME))
}

fn federated_id(profile: &Profile) -> String {
    if profile.provider_id == GOOGLE {
        return format!("https://accounts.google.com/{}", profile.raw_id);
    }
    profile.raw_id.clone()
}

/// Somebody as Google's own service describes them.
fn google_user(profile: &Profile) -> Value {
    let text = |text: &Option<String>| text.clone().map(Value::from);
    object([
        (
            "granted_scopes",
            Some(
                "openid https://www.googleapis.com/auth/userinfo.profile \
                 https://www.googleapis.com/auth/userinfo.email"
                    .into(),
            ),
        ),
        ("id", Some(profile.raw_id.clone().into())),
        ("name", text(&profile.display_name)),
        ("given_name", text(&profile.first_name)),
        ("family_name", text(&profile.last_name)),
        ("verified_email", Some(profile.email_verified.into())),
        ("locale", Some("en".into())),
        ("email", text(&profile.email)),
        ("picture", text(&profile.photo_url)),
    ])
}

/// What follows for an account.
enum Outcome {
    Entered {
        account: Account,
        is_new: bool,
        entrance: Entrance,
    },
    /// Another account has the address, and the provider does not say that it is theirs.
    Unconfirmed(Account),
}

impl Outcome {
    fn put_into(self, answer: &mut Value) {
        match self {
            Self::Entered { account, is_new, entrance } => {
                answer["localId"] = account.id.as_str().into();
                if is_new {
                    answer["isNewUser"] = true.into();
                } else if account.email.as_deref() == answer["email"].as_str() {
                    // Whether the address is theirs, the account knows best.
                    answer["emailVerified"] = account.has_verified_email().into();
                }
                entrance.put_into(answer);
            }
            Self::Unconfirmed(account) => {
                answer["needConfirmation"] = true.into();
                answer["localId"] = account.id.as_str().into();
                let known = account.providers.iter().map(|known| known.provider_id.as_str());
                answer["verifiedProvider"] = known.collect::<Vec<_>>().into();
            }
        }
    }
}

/// Finds or makes the account, and signs in to it.
async fn enter(call: &Call<'_>, profile: &Profile) -> Answer<Outcome> {
    let Call { identity, body, .. } = call;
    let known = accounts::by_provider(&identity.db, &profile.provider_id, &profile.raw_id).await?;
    if let Some(token) = body.filled("idToken")? {
        let holder = identity.holder(Some(token)).await?;
        identity.accept_new_proof(&holder)?;
        if known.is_some() {
            return refuse("FEDERATED_USER_ID_ALREADY_LINKED");
        }
        return linked(call, holder.account, profile).await;
    }
    let mut thrown_out = false;
    let (mut account, is_new) = match (known, same_address(identity, profile).await?) {
        (Some(known), _) => (known, false),
        (None, Some(account)) if profile.email_verified => {
            thrown_out = !account.has_verified_email();
            (merged(identity, account, profile), false)
        }
        (None, Some(account)) => return Ok(Outcome::Unconfirmed(account)),
        (None, None) => {
            let id = AccountId::new(&identity.clock, &identity.random);
            let mut account = Account::new(id, identity.clock.now());
            account.display_name = profile.display_name.clone();
            account.photo_url = profile.photo_url.clone();
            fill_email(identity, &mut account, profile);
            (account, true)
        }
    };
    if account.disabled {
        return refuse("USER_DISABLED");
    }
    account.link(provider(profile));
    let entrance = write(call, &mut account, profile, thrown_out, is_new).await?;
    Ok(Outcome::Entered { account, is_new, entrance })
}

/// The account that has the address already. Where an address may have many accounts, a provider's
/// addresses are nobody's: the provider alone knows them.
async fn same_address(identity: &Identity, profile: &Profile) -> Answer<Option<Account>> {
    match &profile.email {
        Some(address) if !identity.allows_duplicate_emails() => {
            Ok(accounts::by_email(&identity.db, address).await?)
        }
        _ => Ok(None),
    }
}

/// Gives the provider's address to an account that has none.
fn fill_email(identity: &Identity, account: &mut Account, profile: &Profile) {
    if !identity.allows_duplicate_emails() {
        account.email = profile.email.clone();
        account.email_verified = profile.email.as_ref().map(|_| profile.email_verified);
    }
}

/// The account of the same address, now also entered by this provider. If nobody had shown that the
/// address is theirs, whoever made the account is somebody else: what they left is thrown out.
fn merged(identity: &Identity, mut account: Account, profile: &Profile) -> Account {
    if !account.has_verified_email() {
        let kept = account.providers.clone();
        account.forget_unproven_person();
        if identity.is_lax() {
            account.providers = kept;
        } else {
            account.revoke(identity.clock.now());
        }
    }
    account.email_verified = Some(true);
    account.display_name = profile.display_name.clone().or(account.display_name);
    account.photo_url = profile.photo_url.clone().or(account.photo_url);
    account
}

/// The account of whoever asks, now also entered by this provider.
async fn linked(call: &Call<'_>, mut account: Account, profile: &Profile) -> Answer<Outcome> {
    let identity = call.identity;
    let other = same_address(identity, profile).await?;
    if other.is_some_and(|other| other.id != account.id) {
        return refuse("EMAIL_EXISTS");
    }
    if account.email.is_none() {
        fill_email(identity, &mut account, profile);
    } else if account.email == profile.email && profile.email_verified {
        account.email_verified = Some(true);
    }
    account.link(provider(profile));
    let entrance = write(call, &mut account, profile, false, false).await?;
    Ok(Outcome::Entered { account, is_new: false, entrance })
}

fn provider(profile: &Profile) -> Provider {
    Provider {
        provider_id: profile.provider_id.clone(),
        raw_id: profile.raw_id.clone(),
        federated_id: Some(profile.raw_id.clone()),
        email: profile.email.clone(),
        display_name: profile.display_name.clone(),
        photo_url: profile.photo_url.clone(),
        screen_name: profile.screen_name.clone(),
    }
}

async fn write(
    call: &Call<'_>,
    account: &mut Account,
    profile: &Profile,
    ends_sessions: bool,
    is_new: bool,
) -> Answer<Entrance> {
    let identity = call.identity;
    let mut tx = identity.db.begin().await?;
    if ends_sessions {
        revoke_all(&mut tx, &account.id).await?;
    }
    let event = call.event("sign_in");
    let provider = &profile.provider_id;
    let entrance = identity.begin_session(&mut tx, account, provider, event).await?;
    accounts::put_providers(&mut tx, account).await?;
    if let Some(address) = &account.email
        && is_new
        && account.has_verified_email()
    {
        letters::welcome(identity, &mut tx, address)?;
    }
    tx.commit().await?;
    Ok(entrance)
}
