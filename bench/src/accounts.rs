//! Sign-ins compared with the bare password hash, token refreshes, and token verifications.

use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use argon2::{Algorithm, Argon2, Params, Version};
use identity::SigningKeys;
use platform::secret::Secret;
use platform::{Clock, Db, Random};
use serde_json::{Value, json};

use crate::process::ShopProcess;
use crate::{BenchResult, ROUNDS, load, median};

const TIME: Duration = Duration::from_secs(4);
const ACCOUNTS: &str = "/identitytoolkit.googleapis.com/v1/accounts";
const JSON: &str = "application/json";
const FORM: &str = "application/x-www-form-urlencoded";

pub fn measure(data: &Path, keys_file: &Path) -> BenchResult {
    let shop = ShopProcess::open(data, &[])?;
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let credentials = r#"{"email": "bench@haat.example", "password": "Secret1!"}"#;
    let path = format!("{ACCOUNTS}:signUp?key=haat-storefront");
    let new: Value = serde_json::from_slice(&load::post(&shop.address, &path, JSON, credentials)?)?;

    let params = Params::new(19 * 1024, 2, 1, None).map_err(|why| why.to_string())?;
    let argon2 = Argon2::new(Algorithm::Argon2id, Version::V0x13, params);
    let hash = || {
        let mut out = [0; 32];
        argon2.hash_password_into(b"Secret1!", b"sixteen of salt!", &mut out).is_ok()
    };
    let path = format!("{ACCOUNTS}:signInWithPassword?key=haat-storefront");
    let sign_in = || load::post(&shop.address, &path, JSON, credentials).is_ok();
    // In alternating rounds, so that a slow phase of the machine affects both.
    let (mut bares, mut sign_ins) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        bares.push(rate(cores, hash));
        sign_ins.push(rate(cores * 2, sign_in));
    }
    let (bare, sign_ins) = (median(bares), median(sign_ins));
    println!("\naccounts, a second");
    println!(
        "{:<28} {sign_ins:>10.0} {bare:>10.0} {:>7.2}",
        "sign-ins, bare argon2id",
        sign_ins / bare
    );

    let token = new["refreshToken"].as_str().unwrap_or_default();
    let form = format!("grant_type=refresh_token&refresh_token={token}");
    let path = "/securetoken.googleapis.com/v1/token?key=haat-storefront";
    let refreshes = rate(cores * 2, || load::post(&shop.address, path, FORM, &form).is_ok());
    println!("{:<28} {refreshes:>10.0}", "refreshes");

    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let (clock, random) = (Clock::system(), Random::system());
    let keys = runtime.block_on(async {
        let db = Db::open(&format!("sqlite://{}", keys_file.display())).await?;
        db.migrate(&clock).await?;
        SigningKeys::start(&db, &clock, &random, Secret::new(&"bench".repeat(8))?)
            .await
            .map_err(Box::<dyn std::error::Error>::from)
    })?;
    let claims = json!({ "iss": "i", "aud": "a", "sub": "s", "exp": 1 });
    let token = keys.sign(claims.as_object().ok_or("claims")?)?;
    let verified = rate(cores, || keys.verify(&token, "i", "a").is_some());
    println!("{:<28} {verified:>10.0}", "token verifications");
    Ok(())
}

/// Calls per second by so many threads.
fn rate(threads: usize, work: impl Fn() -> bool + Sync) -> f64 {
    let (count, began) = (AtomicU64::new(0), Instant::now());
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while began.elapsed() < TIME {
                    count.fetch_add(u64::from(work()), Ordering::Relaxed);
                }
            });
        }
    });
    count.load(Ordering::Relaxed) as f64 / began.elapsed().as_secs_f64()
}
