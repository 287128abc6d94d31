//! What the service writes to people about their accounts: all its words are here.

use base::mail::{self, Letter, Purpose, Words};
use base::{EmailAddress, Result, Tx};

use crate::Identity;
use crate::codes::Kind;

fn subject(kind: Kind) -> &'static str {
    match kind {
        Kind::VerifyEmail => "Confirm your e-mail address",
        Kind::ResetPassword => "Choose a new password",
        Kind::ChangeEmail => "Confirm your new e-mail address",
        Kind::RecoverEmail => "Your e-mail address was changed",
        Kind::SignIn => "Your link to sign in",
    }
}

/// What goes out with a code.
pub fn letter(shop: &str, kind: Kind, to: &EmailAddress, address: &str, link: &str) -> Letter {
    let (paragraph, label, footnote) = match kind {
        Kind::VerifyEmail => (
            format!("Thank you for signing up. Please confirm that {address} is your address."),
            "Confirm my address",
            "If you did not sign up, nothing happens when you leave this letter alone.",
        ),
        Kind::ResetPassword => (
            format!(
                "Somebody asked to choose a new password for {address}. The link works once, for an hour."
            ),
            "Choose a new password",
            "If it was not you, leave this letter alone: your password stays as it is.",
        ),
        Kind::ChangeEmail => (
            format!("Please confirm that this is to be your address instead of {address}."),
            "Confirm my new address",
            "If you did not ask for this, leave this letter alone.",
        ),
        Kind::RecoverEmail => (
            "The e-mail address of your account was changed. If it was not you, undo it here."
                .to_owned(),
            "That was not me: undo it",
            "If it was you, there is nothing to do.",
        ),
        Kind::SignIn => (
            format!("Here is the link to sign in as {address}. It works once, for an hour."),
            "Sign in",
            "If you did not ask for it, leave this letter alone.",
        ),
    };
    let words = Words {
        shop: shop.into(),
        heading: subject(kind).into(),
        paragraphs: vec![paragraph],
        button: Some((label.into(), link.into())),
        footnote: footnote.into(),
    };
    words.letter(to, subject(kind)).purpose(Purpose::Security)
}

/// Posted once, when it is first known that the address is theirs: at the sign-up itself there is the
/// letter that asks, and a stranger's address gets no more than that. It repeats nothing that was typed.
pub fn welcome(identity: &Identity, tx: &mut Tx, to: &str) -> Result<()> {
    let to = EmailAddress::parse(to).filter(|_| !identity.is_lax());
    let Some(to) = to else { return Ok(()) };
    let shop = identity.shop_name();
    let words = Words {
        shop: shop.into(),
        heading: format!("Welcome to {shop}"),
        paragraphs: vec![
            format!("Your account is ready, and {to} is confirmed."),
            "What you order, save or put into the cart while you are signed in is there on every \
             device. Nobody here will ever ask for your password."
                .into(),
        ],
        button: Some((format!("Go to {shop}"), format!("{}/", identity.origin()))),
        footnote: "You get this letter because you opened an account with this e-mail address."
            .into(),
    };
    let letter = words.letter(&to, &format!("Welcome to {shop}"));
    mail::post(tx, &identity.clock, &identity.random, &letter)
}
