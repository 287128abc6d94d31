//! The payment providers of the crash test: their stand-ins as a process of its own, which is killed and restarted, and
//! keeps its books in journals.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use payment_stand_ins::{
    BookEntry, FaultRates, StandInOptions, StandIns, bkash, paypal, sslcommerz, stripe,
};
use platform::{Clock, Random};

use crate::BenchResult;
use crate::forwarder::{self, Upstreams};
use crate::process::read_address;

/// How the providers behave.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Behaviour {
    /// Nothing goes wrong.
    Calm,
    /// Calls fail before and after their work, and webhooks are repeated, late, lost and forged.
    Faulty,
    /// No webhook arrives.
    Silent,
}

impl Behaviour {
    const ALL: [Self; 3] = [Self::Calm, Self::Faulty, Self::Silent];

    fn as_str(self) -> &'static str {
        match self {
            Self::Calm => "calm",
            Self::Faulty => "faulty",
            Self::Silent => "silent",
        }
    }

    fn rates(self) -> FaultRates {
        match self {
            Self::Calm => FaultRates::default(),
            Self::Silent => FaultRates { webhook_lost_percent: 100, ..FaultRates::default() },
            Self::Faulty => FaultRates {
                fail_before_percent: 4,
                fail_after_percent: 4,
                webhook_repeats: 4,
                webhook_delay: Duration::from_millis(400),
                webhook_lost_percent: 30,
                webhook_forged_percent: 10,
            },
        }
    }
}

/// Serves the stand-ins, until it is killed: `bench payment-stand-ins FOLDER ORIGIN SHOP BEHAVIOUR`.
pub fn serve([folder, origin, shop, behaviour]: [&str; 4]) -> BenchResult {
    let found = Behaviour::ALL.into_iter().find(|one| one.as_str() == behaviour);
    let rates = found.ok_or("an unknown behaviour")?.rates();
    let options = options(Path::new(folder), origin, shop);
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(async {
        let stand_ins = StandIns::open(options)?;
        stand_ins.faults().set(rates);
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
        println!("http://{}", listener.local_addr()?);
        axum::serve(listener, stand_ins.router()).await?;
        Ok(())
    })
}

fn options(folder: &Path, origin: &str, shop: &str) -> StandInOptions {
    StandInOptions {
        base_url: origin.to_owned(),
        webhook_url: format!("{shop}/webhooks/payments"),
        clock: Clock::system(),
        random: Random::system(),
        folder: Some(folder.to_owned()),
    }
}

/// The process of the stand-ins, behind an address that stays.
pub struct ProviderProcess {
    pub origin: String,
    /// The shop's.
    shop: String,
    folder: PathBuf,
    upstreams: Upstreams,
    child: Mutex<Option<Child>>,
}

impl ProviderProcess {
    /// `shop` is the shop's origin, to which webhooks are sent.
    pub async fn start(folder: PathBuf, shop: &str) -> BenchResult<Self> {
        let upstreams = Upstreams::default();
        let origin = forwarder::start(&upstreams).await?;
        let providers =
            Self { origin, shop: shop.to_owned(), folder, upstreams, child: Mutex::default() };
        providers.restart(Behaviour::Faulty)?;
        Ok(providers)
    }

    /// Kills the process, and starts another one with its journals.
    pub fn restart(&self, behaviour: Behaviour) -> BenchResult {
        self.kill();
        let mut command = Command::new(std::env::current_exe()?);
        command.arg("payment-stand-ins").arg(&self.folder);
        command.args([&self.origin, &self.shop, behaviour.as_str()]);
        let mut child = command.stdout(Stdio::piped()).spawn()?;
        self.upstreams.set(0, &read_address(&mut child)?);
        *self.child.lock().unwrap_or_else(PoisonError::into_inner) = Some(child);
        Ok(())
    }

    pub fn kill(&self) {
        self.upstreams.remove(0);
        let child = self.child.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(mut child) = child {
            let _ = child.kill();
            let _ = child.wait();
        }
    }

    /// What the providers have captured and refunded, by their journals. The process is dead.
    pub fn books(&self) -> BenchResult<Vec<BookEntry>> {
        Ok(StandIns::open(options(&self.folder, &self.origin, &self.shop))?.books())
    }

    /// The options of the shop with which it uses all providers.
    pub fn shop_options(&self) -> Vec<String> {
        let stripe_url = format!("{}/stripe", self.origin);
        let [sslcommerz_url, bkash_url, paypal_url] =
            ["sslcommerz", "bkash", "paypal"].map(|name| format!("{}/{name}", self.origin));
        let options = [
            ("--sslcommerz-store-id", sslcommerz::STORE_ID),
            ("--sslcommerz-store-password", sslcommerz::STORE_PASSWORD),
            ("--sslcommerz-url", &sslcommerz_url),
            ("--bkash-username", bkash::USERNAME),
            ("--bkash-password", bkash::PASSWORD),
            ("--bkash-app-key", bkash::APP_KEY),
            ("--bkash-app-secret", bkash::APP_SECRET),
            ("--bkash-url", &bkash_url),
            ("--paypal-client-id", paypal::CLIENT_ID),
            ("--paypal-client-secret", paypal::CLIENT_SECRET),
            ("--paypal-webhook-id", paypal::WEBHOOK_ID),
            ("--paypal-url", &paypal_url),
        ];
        let others = options.into_iter().flat_map(|(name, value)| [name.into(), value.into()]);
        stripe_options(&stripe_url).into_iter().chain(others).collect()
    }
}

impl Drop for ProviderProcess {
    fn drop(&mut self) {
        self.kill();
    }
}

/// The options of the shop with which it uses Stripe at this address.
pub fn stripe_options(url: &str) -> Vec<String> {
    let options = [
        ("--stripe-secret-key", stripe::SECRET_KEY),
        ("--stripe-webhook-secret", stripe::WEBHOOK_SECRET),
        ("--stripe-url", url),
    ];
    options.into_iter().flat_map(|(name, value)| [name.into(), value.into()]).collect()
}
