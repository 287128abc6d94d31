//! The Host header where the program shows more than a shop does: a demo shows its e-mails, an emulator
//! every code. A web page of a stranger's can let its own name point to 127.0.0.1 (DNS rebinding) and
//! would then read them in the browser of whoever runs the demo. Its name gives it away.

use std::net::{Ipv4Addr, Ipv6Addr};
use std::sync::Arc;

use axum::http::header::HOST;
use axum::http::{HeaderMap, StatusCode, Uri};
use base::{Error, Result};

/// The names under which the program answers, beside `localhost` and IP addresses.
#[derive(Clone, Debug)]
pub struct Hosts {
    names: Arc<[String]>,
}

impl Hosts {
    /// The hosts of `public_url` and of `listen`, and those that the setting `allowed_hosts` names.
    pub fn new(origin: &str, listen: &str, allowed: &[String]) -> Self {
        let address = origin.parse::<Uri>().ok();
        let own = address.as_ref().and_then(Uri::host).unwrap_or_default();
        let names = [own, listen].into_iter().chain(allowed.iter().map(String::as_str));
        let names = names.map(host_name).filter(|name| !name.is_empty());
        Self { names: names.collect() }
    }

    pub fn check(&self, headers: &HeaderMap) -> Result<()> {
        // Only browsers can be deceived, and they always send it.
        let Some(host) = headers.get(HOST) else { return Ok(()) };
        match host.to_str().is_ok_and(|host| self.allows(host)) {
            true => Ok(()),
            false => Err(Error::Refused {
                status: StatusCode::MISDIRECTED_REQUEST,
                code: "misdirected",
                message: "A demo or emulator answers under localhost, an IP address, the hosts of \
                          its public_url and listen, and those that allowed_hosts names."
                    .into(),
            }),
        }
    }

    /// An IP address cannot be made to point elsewhere, and `localhost` is this machine. Any other name is
    /// in somebody's hands, also one without a dot: in a local network whoever answers its DNS.
    fn allows(&self, host: &str) -> bool {
        if let Some(rest) = host.strip_prefix('[') {
            return rest.split(']').next().is_some_and(|ip| ip.parse::<Ipv6Addr>().is_ok());
        }
        let name = host_name(host);
        name.parse::<Ipv4Addr>().is_ok()
            || name == "localhost"
            || name.ends_with(".localhost")
            || self.names.contains(&name)
    }
}

/// The name in `name:port`, as names are compared.
fn host_name(host: &str) -> String {
    let name = host.split(':').next().unwrap_or_default().trim().to_lowercase();
    name.strip_suffix('.').unwrap_or(&name).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_strangers_name_is_refused() {
        let allowed = ["Emulator".to_owned(), " auth.test".to_owned()];
        let hosts = Hosts::new("https://Demo.haat.example", "till:9099", &allowed);
        for host in [
            "localhost:8080",
            "LOCALHOST",
            "shop.localhost",
            "127.0.0.1:8080",
            "192.168.1.7",
            "[::1]:8080",
            "emulator:9099",
            "auth.test",
            "till",
            "demo.haat.example",
            "demo.haat.example:443",
        ] {
            assert!(hosts.allows(host), "{host}");
        }
        for host in [
            "",
            "evil",
            "evil:8080",
            "evil.",
            "evil.example",
            "evil.example.:8080",
            "127.0.0.1.evil.example",
            "localhost.evil.example",
            "notlocalhost.example",
            "[::1.evil.example]",
            "x.demo.haat.example",
        ] {
            assert!(!hosts.allows(host), "{host}");
        }
    }
}
