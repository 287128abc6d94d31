//! The Host header where the program shows more than a shop does: a demo shows its e-mails, an emulator
//! every code. A web page of a stranger's can let its own name point to 127.0.0.1 (DNS rebinding) and
//! would then read them in the browser of whoever runs the demo. Its name gives it away.

use std::net::{Ipv4Addr, Ipv6Addr};
use std::sync::Arc;

use axum::http::header::HOST;
use axum::http::{HeaderMap, StatusCode, Uri};
use base::{Error, Result};

/// The names under which the program answers.
#[derive(Clone, Debug)]
pub struct Hosts {
    /// The host of `public_url`, or of where the program listens.
    own: Arc<str>,
}

impl Hosts {
    pub fn of(origin: &str) -> Self {
        let address = origin.parse::<Uri>().ok();
        let host = address.as_ref().and_then(Uri::host).unwrap_or_default();
        Self { own: host.to_lowercase().into() }
    }

    pub fn check(&self, headers: &HeaderMap) -> Result<()> {
        // Only browsers can be deceived, and they always send it.
        let Some(host) = headers.get(HOST) else { return Ok(()) };
        match host.to_str().is_ok_and(|host| self.allows(host)) {
            true => Ok(()),
            false => Err(Error::Refused {
                status: StatusCode::MISDIRECTED_REQUEST,
                code: "misdirected",
                message: "A demo or emulator answers under localhost, its address or its \
                          public_url alone."
                    .into(),
            }),
        }
    }

    /// An address is no name, and nobody on the internet owns a name without a dot: it is `localhost` or
    /// one of the local network, such as a container's.
    fn allows(&self, host: &str) -> bool {
        let name = match host.strip_prefix('[') {
            Some(rest) => {
                return rest.split(']').next().is_some_and(|ip| ip.parse::<Ipv6Addr>().is_ok());
            }
            None => host.split(':').next().unwrap_or_default().to_lowercase(),
        };
        let name = name.strip_suffix('.').unwrap_or(&name);
        name.parse::<Ipv4Addr>().is_ok()
            || !name.contains('.')
            || name.ends_with(".localhost")
            || *name == *self.own
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_strangers_name_is_refused() {
        let hosts = Hosts::of("https://Demo.haat.example");
        for host in [
            "localhost:8080",
            "LOCALHOST",
            "shop.localhost",
            "127.0.0.1:8080",
            "192.168.1.7",
            "[::1]:8080",
            "emulator:9099",
            "demo.haat.example",
            "demo.haat.example:443",
        ] {
            assert!(hosts.allows(host), "{host}");
        }
        for host in [
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
