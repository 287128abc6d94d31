//! Phone numbers: a code by text message proves that one is somebody's. It works once, for a while,
//! and can be tried a few times only.

use std::time::Duration;

use aws_lc_rs::constant_time::verify_slices_are_equal;
use base::sms::{self, Text};
use base::{Result, Timestamp, Tx};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::{Value, json};

use crate::Identity;
use crate::accounts::{self, Account, AccountId};
use crate::attempts::{
    CODES, FACTORS_FROM_ADDRESS, Limit, TEXTS, TEXTS_TO_COUNTRY, TEXTS_TO_FACTORS,
};
use crate::http::Call;
use crate::protocol::{Answer, Refusal, refuse};
use crate::sessions::hash;
use crate::sign_in::TOO_MANY;

const LIVES: Duration = Duration::from_secs(10 * 60);
/// A code has six digits: this many guesses are far from enough.
const MOST_TRIES: i64 = 5;
const PROOF_LIVES: Duration = Duration::from_secs(3600);
/// What stands for the code of a session that proves a number by itself.
const PROOF: &str = "proof";

/// A number in the one form that is kept: + and 7 to 15 digits.
pub fn phone_number(text: &str) -> Option<String> {
    let kept: String = text.chars().filter(|letter| !" -().".contains(*letter)).collect();
    let digits = kept.strip_prefix('+')?;
    let fits = (7..=15).contains(&digits.len())
        && digits.bytes().all(|digit| digit.is_ascii_digit())
        && !digits.starts_with('0');
    fits.then_some(kept)
}

/// `accounts:sendVerificationCode`
pub async fn send_code(call: &Call<'_>) -> Answer {
    let identity = call.identity;
    let number = call.body.text("phoneNumber")?.and_then(phone_number);
    let Some(number) = number else { return refuse("INVALID_PHONE_NUMBER : Invalid format.") };
    // That would tell anyone which numbers have accounts; ordinarily it is said at the sign-in.
    if identity.is_lax()
        && let Some(account) = accounts::by_phone_number(&identity.db, &number).await?
    {
        accept_as_first_factor(&account)?;
    }
    Ok(json!({ "sessionInfo": identity.send_code(call, &number, Purpose::NewNumber).await? }))
}

/// Why a text message is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// Anybody may ask for it, to any number.
    NewNumber,
    /// Whoever asks has shown the first proof of an account that has this number.
    EnrolledFactor,
}

/// The country that a number belongs to: `+`, and the one to three digits of its calling code.
fn country(number: &str) -> &str {
    const TWO_DIGITS: &str = "20 27 30 31 32 33 34 36 39 40 41 43 44 45 46 47 48 49 51 52 53 54 55 56 57 58 60 61 \
                              62 63 64 65 66 81 82 84 86 90 91 92 93 94 95 98";
    let length = match number.get(1..3) {
        Some(code) if code.starts_with(['1', '7']) => 2,
        Some(code) if TWO_DIGITS.split(' ').any(|known| known == code) => 3,
        _ => 4,
    };
    number.get(..length).unwrap_or(number)
}

/// A number that is asked for as the second proof cannot be the first one too.
fn accept_as_first_factor(account: &Account) -> Answer<()> {
    if account.factors.iter().any(|factor| factor.phone_number.is_some()) {
        return refuse(
            "UNSUPPORTED_FIRST_FACTOR : A phone number cannot be set as a first factor on an SMS \
             based MFA user.",
        );
    }
    Ok(())
}

/// A number that somebody has shown to be theirs.
pub struct Proven {
    pub number: String,
    /// What proved it, to be used up.
    session: String,
}

impl Proven {
    /// Uses the code up; of two who try at once, one finds it gone.
    pub async fn spend(&self, identity: &Identity, tx: &mut Tx) -> Answer<()> {
        let session = &self.session;
        let spent = tx
            .query("delete from phone_codes where session = $1")
            .bind(session.as_str())
            .execute()
            .await?;
        if spent == 0 {
            return refuse("INVALID_SESSION_INFO");
        }
        if let Some(emulator) = identity.emulator() {
            emulator.text_used(session);
        }
        Ok(())
    }
}

#[derive(sqlx::FromRow)]
struct Sent {
    phone_number: String,
    code: String,
    tries: i64,
    expires_at: Timestamp,
}

impl Identity {
    /// Sends a code to a number and gives the session that it belongs to.
    pub async fn send_code(
        &self,
        call: &Call<'_>,
        number: &str,
        purpose: Purpose,
    ) -> Answer<String> {
        if !self.place.sends_texts && !self.is_lax() {
            return refuse("OPERATION_NOT_ALLOWED : No text messages are sent here.");
        }
        self.accept_text(call, number, purpose).await?;
        let code = format!("{:06}", u64::from_be_bytes(self.random.bytes()) % 1_000_000);
        let mut tx = self.db.begin().await?;
        let session = self.make_session(&mut tx, number, &code, LIVES).await?;
        if let Some(emulator) = self.emulator() {
            emulator.text_sent(number, &session, &code);
        } else {
            let text =
                format!("{code} is your code for {}. It works for 10 minutes.", self.shop_name());
            sms::post(&mut tx, &self.clock, &self.random, &Text { to: number.into(), text })?;
        }
        self.note(&mut tx, call.event("code_sent"), None).await?;
        tx.commit().await?;
        Ok(session)
    }

    /// Counts a text message by the network that asks, by its number, by its country and by all. What a
    /// network or a number has too many of does not use up what all share.
    async fn accept_text(&self, call: &Call<'_>, number: &str, purpose: Purpose) -> Answer<()> {
        let enrolled = purpose == Purpose::EnrolledFactor;
        let listed = &self.settings.sms_countries;
        let is_listed = listed.iter().any(|prefix| number.starts_with(prefix));
        if !listed.is_empty() && !is_listed && !enrolled && !self.is_lax() {
            return refuse(
                "OPERATION_NOT_ALLOWED : SMS unable to be sent until this region enabled by the app \
                 developer.",
            );
        }
        let (kind, here) = if enrolled {
            ("texts to factors", FACTORS_FROM_ADDRESS)
        } else {
            ("texts", Limit::per_hour(self.settings.sms_per_hour))
        };
        let mut narrow: Vec<_> = call.here_at_most(kind, here).into_iter().collect();
        narrow.push((format!("{kind} to {number}"), CODES));
        if !call.may_all(&narrow).await? {
            return refuse(TOO_MANY);
        }
        let mut wide = Vec::new();
        if !enrolled && !is_listed {
            wide.push((format!("texts to country {}", country(number)), TEXTS_TO_COUNTRY));
        }
        wide.push(("texts of all".into(), TEXTS));
        let reserve = [("texts of all factors".into(), TEXTS_TO_FACTORS)];
        if call.may_all(&wide).await? || enrolled && call.may_all(&reserve).await? {
            return Ok(());
        }
        refuse("QUOTA_EXCEEDED : Too many text messages. Please try again later.")
    }

    /// A session in which this code proves the number.
    async fn make_session(
        &self,
        tx: &mut Tx,
        number: &str,
        code: &str,
        lives: Duration,
    ) -> Result<String> {
        let session = URL_SAFE_NO_PAD.encode(self.random.bytes::<32>());
        tx.query(
            "insert into phone_codes (session, phone_number, code, tries, expires_at)
             values ($1, $2, $3, 0, $4)",
        )
        .bind(hash(&session))
        .bind(number)
        .bind(self.code_hash(&session, code))
        .bind(self.clock.now().plus(lives))
        .execute()
        .await?;
        Ok(session)
    }

    /// A code is short, so its hash is made with the shop's secret: a stolen database tells none.
    fn code_hash(&self, session: &str, code: &str) -> String {
        URL_SAFE_NO_PAD.encode(self.secret.derive(&format!("phone code {code} of {session}")))
    }

    /// The number that a code proves. Every look counts as a try.
    async fn proven_number(&self, session: Option<&str>, code: Option<&str>) -> Answer<Proven> {
        let Some(session) = session else { return refuse("MISSING_SESSION_INFO") };
        let Some(code) = code else { return refuse("MISSING_CODE") };
        let mut tx = self.db.begin().await?;
        let sent: Option<Sent> = tx
            .query(
                "update phone_codes set tries = tries + 1 where session = $1
                 returning phone_number, code, tries, expires_at",
            )
            .bind(hash(session))
            .optional()
            .await?;
        tx.commit().await?;
        let Some(sent) = sent else { return refuse("INVALID_SESSION_INFO") };
        if sent.expires_at <= self.clock.now() || (sent.tries > MOST_TRIES && !self.is_lax()) {
            return refuse("SESSION_EXPIRED");
        }
        let given = self.code_hash(session, code);
        if verify_slices_are_equal(given.as_bytes(), sent.code.as_bytes()).is_err() {
            return refuse("INVALID_CODE");
        }
        Ok(Proven { number: sent.phone_number, session: hash(session) })
    }
}

impl Call<'_> {
    /// The number that a code proves.
    pub async fn proven_number(
        &self,
        session: Option<&str>,
        code: Option<&str>,
    ) -> Answer<&Proven> {
        self.number.get_or_try_init(|| self.identity.proven_number(session, code)).await
    }
}

/// `accounts:signInWithPhoneNumber`: signs in, or gives the number to the account behind an ID token.
pub async fn sign_in(call: &Call<'_>) -> Answer {
    let Call { identity, body, .. } = call;
    let proven = match body.filled("temporaryProof")? {
        Some(proof) => {
            let Some(number) = body.filled("phoneNumber")? else {
                return refuse("MISSING_PHONE_NUMBER");
            };
            match call.proven_number(Some(proof), Some(PROOF)).await {
                Ok(proven) if proven.number == number => proven,
                Ok(_) | Err(Refusal::Protocol(..)) => return refuse("INVALID_TEMPORARY_PROOF"),
                Err(why) => return Err(why),
            }
        }
        None => call.proven_number(body.filled("sessionInfo")?, body.filled("code")?).await?,
    };
    let known = accounts::by_phone_number(&identity.db, &proven.number).await?;
    let is_new = known.is_none();
    let (mut account, is_new) = match (body.filled("idToken")?, known) {
        (Some(token), known) => {
            let holder = identity.holder(Some(token)).await?;
            if known.is_some_and(|known| known.id != holder.account.id) {
                // Else each proof would be good for the next, for ever.
                if body.filled("temporaryProof")?.is_some() {
                    return refuse("PHONE_NUMBER_EXISTS");
                }
                return belongs_to_another(identity, proven).await;
            }
            identity.accept_new_proof(&holder)?;
            (holder.account, false)
        }
        (None, Some(known)) => (known, false),
        (None, None) if body.filled("operation")? == Some("REAUTH") && !identity.is_lax() => {
            return refuse("USER_NOT_FOUND");
        }
        (None, None) => {
            let id = AccountId::new(&identity.clock, &identity.random);
            (Account::new(id, identity.clock.now()), is_new)
        }
    };
    if account.disabled {
        return refuse("USER_DISABLED");
    }
    accept_as_first_factor(&account)?;
    account.phone_number = Some(proven.number.clone());
    let mut tx = identity.db.begin().await?;
    proven.spend(identity, &mut tx).await?;
    let event = call.event("sign_in");
    let entrance = identity.begin_session(&mut tx, &mut account, "phone", event).await?;
    tx.commit().await?;
    let mut answer = json!({
        "isNewUser": is_new,
        "phoneNumber": proven.number,
        "localId": account.id,
    });
    entrance.put_into(&mut answer);
    Ok(answer)
}

/// Lets whoever has the number in hand sign in to the account that has it.
async fn belongs_to_another(identity: &Identity, proven: &Proven) -> Answer<Value> {
    let mut tx = identity.db.begin().await?;
    proven.spend(identity, &mut tx).await?;
    let proof = identity.make_session(&mut tx, &proven.number, PROOF, PROOF_LIVES).await?;
    tx.commit().await?;
    Ok(json!({
        "phoneNumber": proven.number,
        "temporaryProof": proof,
        "temporaryProofExpiresIn": PROOF_LIVES.as_secs().to_string(),
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_one_form() {
        assert_eq!(phone_number("+880 1711-223344").as_deref(), Some("+8801711223344"));
        assert_eq!(phone_number("+1 (555) 010.0199").as_deref(), Some("+15550100199"));
        for text in ["", "+", "+46", "12345678", "0701234567", "+0701234567", "+1234567890123456"] {
            assert_eq!(phone_number(text), None, "{text}");
        }
        assert_eq!(phone_number("+12345٣7890"), None);
    }

    #[test]
    fn countries_are_told_by_their_calling_codes() {
        for (number, code) in [
            ("+15550100199", "+1"),
            ("+79991234567", "+7"),
            ("+447700900123", "+44"),
            ("+8801711223344", "+880"),
            ("+3531234567", "+353"),
            ("+9601234567", "+960"),
        ] {
            assert_eq!(country(number), code);
        }
    }
}
