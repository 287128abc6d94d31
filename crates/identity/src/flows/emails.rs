//! E-mail texts about accounts: verification, password reset, change of address, sign-in link, welcome.

use email::{Email, EmailBody, Purpose};
use platform::{EmailAddress, Result, Tx};

use crate::email_codes::{CodeKind, NewCode};
use crate::services::Services;

/// The e-mail that contains a code's link.
fn code_email(shop: &str, kind: CodeKind, to: &EmailAddress, email: &str, link: &str) -> Email {
    let (subject, paragraph, label, footnote) = match kind {
        CodeKind::VerifyEmail => (
            "Confirm your e-mail address",
            format!("Thank you for signing up. Please confirm that {email} is your address."),
            "Confirm my address",
            "If you did not sign up, you can ignore this e-mail.",
        ),
        CodeKind::ResetPassword => (
            "Choose a new password",
            format!(
                "Somebody asked to choose a new password for {email}. The link works once, for an hour."
            ),
            "Choose a new password",
            "If it was not you, ignore this e-mail: your password stays as it is.",
        ),
        CodeKind::ChangeEmail => (
            "Confirm your new e-mail address",
            format!("Please confirm that this is to be your address instead of {email}."),
            "Confirm my new address",
            "If you did not ask for this, ignore this e-mail.",
        ),
        CodeKind::RecoverEmail => (
            "Your e-mail address was changed",
            "The e-mail address of your account was changed. If it was not you, undo it here."
                .to_owned(),
            "That was not me: undo it",
            "If it was you, there is nothing to do.",
        ),
        CodeKind::SignIn => (
            "Your link to sign in",
            format!("Here is the link to sign in as {email}. It works once, for an hour."),
            "Sign in",
            "If you did not ask for it, ignore this e-mail.",
        ),
    };
    let body = EmailBody {
        shop: shop.into(),
        heading: subject.into(),
        paragraphs: vec![paragraph],
        button: Some((label.into(), link.into())),
        footnote: footnote.into(),
    };
    body.into_email(to, subject).purpose(Purpose::Security)
}

/// Enqueues the e-mail with a code's link; an emulator lists its codes instead. An undeliverable e-mail
/// is enqueued as a decoy, so that the response takes as long.
pub fn enqueue_link(
    identity: &Services,
    tx: &mut Tx,
    new: &NewCode<'_>,
    link: &str,
    send: bool,
) -> Result<()> {
    // An account from before addresses were validated strictly may have an invalid one.
    let recipient = EmailAddress::parse(new.new_address.unwrap_or(new.address));
    let Some(recipient) = recipient.filter(|_| !identity.is_emulator()) else { return Ok(()) };
    let email = code_email(&identity.site.shop_name, new.kind, &recipient, new.address, link);
    let enqueue = if send { email::enqueue } else { email::enqueue_decoy };
    enqueue(tx, &identity.clock, &identity.random, &email)
}

/// Enqueued once, when the address is first verified. Not at sign-up, because the address may be a
/// stranger's, who must get no more than the verification. Contains no user input.
pub fn enqueue_welcome(identity: &Services, tx: &mut Tx, to: &str) -> Result<()> {
    let to = EmailAddress::parse(to).filter(|_| !identity.is_emulator());
    let Some(to) = to else { return Ok(()) };
    let shop = &identity.site.shop_name;
    let words = EmailBody {
        shop: shop.into(),
        heading: format!("Welcome to {shop}"),
        paragraphs: vec![
            format!("Your account is ready, and {to} is confirmed."),
            "What you order, save or put into the cart while you are signed in is there on every \
             device. We will never ask for your password."
                .into(),
        ],
        button: Some((format!("Go to {shop}"), format!("{}/", identity.site.origin))),
        footnote: "You get this e-mail because you opened an account with this address.".into(),
    };
    let email = words.into_email(&to, &format!("Welcome to {shop}"));
    email::enqueue(tx, &identity.clock, &identity.random, &email)
}
