//! E-mail texts about accounts: verification, password reset, change of address, sign-in link, welcome.

use email::{Email, EmailBody, Purpose};
use messages::Messages;
use platform::{EmailAddress, Language, Result, Tx};

use super::call::Call;
use crate::email_codes::{CodeKind, NewCode};
use crate::settings::Site;

/// The e-mail that contains a code's link.
fn code_email(
    call: &Call<'_>,
    kind: CodeKind,
    to: &EmailAddress,
    email: &str,
    link: &str,
) -> Email {
    let [subject, intro, label, footnote] = match kind {
        CodeKind::VerifyEmail => [
            "email.verifySubject",
            "email.verifyIntro",
            "email.verifyButton",
            "email.verifyFootnote",
        ],
        CodeKind::ResetPassword => {
            ["email.resetSubject", "email.resetIntro", "email.resetButton", "email.resetFootnote"]
        }
        CodeKind::ChangeEmail => [
            "email.changeSubject",
            "email.changeIntro",
            "email.changeButton",
            "email.changeFootnote",
        ],
        CodeKind::RecoverEmail => [
            "email.changedSubject",
            "email.changedIntro",
            "email.changedButton",
            "email.changedFootnote",
        ],
        CodeKind::SignIn => [
            "email.signInSubject",
            "email.signInIntro",
            "email.signInButton",
            "email.signInFootnote",
        ],
    };
    let text = |key| Messages::text(call.language, key, &[("email", &email)]);
    let body = EmailBody {
        language: call.language,
        shop: call.identity.site.shop_name(call.language).into(),
        heading: text(subject),
        paragraphs: vec![text(intro)],
        button: Some((text(label), link.into())),
        footnote: text(footnote),
    };
    body.into_email(to, &text(subject)).purpose(Purpose::Security)
}

/// Enqueues the e-mail with a code's link; an emulator lists its codes instead. An undeliverable e-mail
/// is enqueued as a decoy, so that the response takes as long.
pub fn enqueue_link(
    call: &Call<'_>,
    tx: &mut Tx,
    new: &NewCode<'_>,
    link: &str,
    send: bool,
) -> Result<()> {
    let identity = call.identity;
    // An account from before addresses were validated strictly may have an invalid one.
    let recipient = EmailAddress::parse(new.new_address.unwrap_or(new.address));
    let Some(recipient) = recipient.filter(|_| !identity.is_emulator()) else { return Ok(()) };
    let email = code_email(call, new.kind, &recipient, new.address, link);
    let enqueue = if send { email::enqueue } else { email::enqueue_decoy };
    enqueue(tx, &identity.clock, &identity.random, &email)
}

/// Enqueued once, when the address is first verified. Not at sign-up, because the address may be a
/// stranger's, who must get no more than the verification. Contains no user input.
pub fn enqueue_welcome(call: &Call<'_>, tx: &mut Tx, to: &str) -> Result<()> {
    let identity = call.identity;
    let to = EmailAddress::parse(to).filter(|_| !identity.is_emulator());
    let Some(to) = to else { return Ok(()) };
    let email = welcome_email(&identity.site, call.language, &to);
    email::enqueue(tx, &identity.clock, &identity.random, &email)
}

fn welcome_email(site: &Site, language: Language, to: &EmailAddress) -> Email {
    let shop = site.shop_name(language);
    let text = |key| Messages::text(language, key, &[("shop", &shop), ("email", to)]);
    let subject = text("email.welcomeSubject");
    let body = EmailBody {
        language,
        shop: shop.into(),
        heading: subject.clone(),
        paragraphs: vec![text("email.welcomeReady"), text("email.welcomeEverywhere")],
        button: Some((text("email.welcomeButton"), site.url(language, "/"))),
        footnote: text("email.welcomeFootnote"),
    };
    body.into_email(to, &subject)
}
