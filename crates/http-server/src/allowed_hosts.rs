//! Checks the Host header against DNS rebinding, where a demo shows its e-mails or an emulator its codes: a
//! malicious web page can let its own domain resolve to 127.0.0.1, and would then read them in the browser of
//! the developer who runs the demo. Its Host header has that domain.

use std::net::{Ipv4Addr, Ipv6Addr};
use std::sync::Arc;

use axum::http::header::HOST;
use axum::http::{HeaderMap, StatusCode, Uri};
use platform::{Error, Result};

/// The host names that are served, besides `localhost` and IP addresses.
#[derive(Clone, Debug)]
pub struct AllowedHosts {
    names: Arc<[String]>,
}

impl AllowedHosts {
    /// The hosts of `public_url`, `listen` and the setting `allowed_hosts`.
    pub fn new(origin: &str, listen: &str, allowed: &[String]) -> Self {
        let address = origin.parse::<Uri>().ok();
        let own = address.as_ref().and_then(Uri::host).unwrap_or_default();
        let names = [own, listen].into_iter().chain(allowed.iter().map(String::as_str));
        let names = names.map(host_name).filter(|name| !name.is_empty());
        Self { names: names.collect() }
    }

    pub fn check(&self, headers: &HeaderMap) -> Result<()> {
        // Only browsers can be attacked this way, and they always send it.
        let Some(host) = headers.get(HOST) else { return Ok(()) };
        match host.to_str().is_ok_and(|host| self.allows(host)) {
            true => Ok(()),
            false => Err(Error::refused(
                StatusCode::MISDIRECTED_REQUEST,
                "misdirected",
                "A demo or emulator is reached by localhost, an IP address, the hosts of its \
                 public_url and listen, and those in allowed_hosts.",
            )),
        }
    }

    /// An IP address cannot be rebound, and `localhost` is this machine. Any other name is under somebody's
    /// control, also one without a dot: in a local network whoever runs its DNS.
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

/// The name in `name:port`, in lower case and without a final dot.
fn host_name(host: &str) -> String {
    let name = host.split(':').next().unwrap_or_default().trim().to_lowercase();
    name.strip_suffix('.').unwrap_or(&name).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unknown_host_name_is_refused() {
        let allowed = ["Emulator".to_owned(), " auth.test".to_owned()];
        let hosts = AllowedHosts::new("https://Demo.haat.example", "till:9099", &allowed);
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
