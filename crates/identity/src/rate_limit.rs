//! The limits of the identity service, and its keys for `platform::rate_limit`.

use std::net::IpAddr;
use std::time::Duration;

use platform::http::ClientIp;
pub use platform::rate_limit::{Limit, allows, uncount};
use platform::{Result, Tx, rate_limit};

const fn minutes(minutes: u64) -> Duration {
    Duration::from_secs(minutes * 60)
}

/// Password attempts of one client on one account. Keeps a single network below `PASSWORDS_PER_ACCOUNT`.
pub const PASSWORDS_PER_CLIENT: Limit =
    Limit::new(10, minutes(24 * 60)).then_delay(Duration::from_secs(30), minutes(15));
/// Password attempts on one account from all networks. High, because attackers could use a low limit to
/// lock the owner out.
pub const PASSWORDS_PER_ACCOUNT: Limit =
    Limit::per_hour(50).then_delay(Duration::from_secs(2), minutes(1));
/// E-mails of one kind to one mailbox, from all clients.
pub const EMAILS_PER_MAILBOX: Limit = Limit::new(5, minutes(10));
/// Codes sent to one number, or guesses at one authenticator app. Six digits are safe with so few attempts.
pub const CODES: Limit = email::sms_limits::PER_NUMBER;
/// Many users, of an office or a school, may share one address.
pub const PER_NETWORK: Limit = Limit::new(60, minutes(5));
/// For second factors only, when `email::sms_limits::TOTAL` is used up.
pub const SMS_MFA_RESERVE: Limit = Limit::per_hour(100);
/// Higher than for other text messages, because the client has already proven a first factor.
pub const MFA_PER_NETWORK: Limit = Limit::per_hour(30);

/// After a successful attempt: forgets all attempts on this key, and this one of the network.
pub async fn reset(tx: &mut Tx, kind: &str, key: &str, client_ip: Option<IpAddr>) -> Result<()> {
    rate_limit::reset(tx, &format!("{kind} {key}")).await?;
    if let Some(client_ip) = client_ip {
        uncount(tx, &network_key(kind, client_ip)).await?;
    }
    Ok(())
}

pub fn network_key(kind: &str, client_ip: IpAddr) -> String {
    format!("{kind} from {}", ClientIp(client_ip).network())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_of_a_network_share_a_key() {
        let key = |text: &str| network_key("emails", text.parse().unwrap());
        assert_eq!(key("2001:db8:1:2::1"), key("2001:db8:1:2:ffff::9"));
        assert_ne!(key("2001:db8:1:2::1"), key("2001:db8:1:3::1"));
        assert_eq!(key("::ffff:10.0.0.1"), key("10.0.0.1"));
        assert_ne!(key("10.0.0.1"), key("10.0.0.2"));
    }
}
