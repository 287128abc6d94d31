//! After the load: the providers are well again, and time passes until no order awaits payment, no call of a provider
//! waits, and every open payment was asked about, as the servers do it by themselves.

use std::time::{Duration, Instant};

use platform::{Clock, Db, Timestamp};

use super::Trial;
use crate::BenchResult;
use crate::provider_process::Behaviour;

const PAUSE: Duration = Duration::from_millis(100);
/// So long nothing stays as it is.
const PATIENCE: Duration = Duration::from_secs(60);

impl Trial {
    /// Answers how many have paid when it was too late.
    pub fn finish(&self, runtime: &tokio::runtime::Runtime) -> BenchResult<usize> {
        self.shop.close();
        // They do not come back, and no webhook tells of them: somebody has to ask.
        self.providers.restart(Behaviour::Silent)?;
        let late = self.pay_late()?;
        self.providers.restart(Behaviour::Calm)?;
        let since = Clock::system().now();
        runtime.block_on(async {
            let db = Db::open(&self.shop.url).await?;
            let_time_pass(&db).await?;
            self.shop.reopen_all()?;
            wait_until_settled(&db, since).await?;
            self.compare_books()?;
            wait_until_settled(&db, since).await?;
            db.close().await;
            Ok(late)
        })
    }

    /// Compares today's payments with the providers' lists, which also asks about those that count as failed.
    fn compare_books(&self) -> BenchResult {
        let today = Clock::system().now().to_string();
        let day = today.get(..10).unwrap_or_default();
        let options = self.providers.shop_options();
        let options: Vec<&str> = options.iter().map(String::as_str).collect();
        let compare = [&["payments", "reconcile", "--json", "--day", day], &options[..]].concat();
        let compared = self.shop.command_with_secret(&compare);
        compared.map(drop).map_err(|why| {
            let alerts = self.shop.command(&["payments", "alerts"]).unwrap_or_default();
            format!("{why}\n{alerts}").into()
        })
    }
}

/// While no server runs: the jobs of those that were killed are free, retries are due, the goods of unpaid orders are
/// not held any more, and the periodic tasks are due.
async fn let_time_pass(db: &Db) -> BenchResult {
    const HOUR_MS: i64 = 3_600_000;
    for sql in [
        "update jobs set claimed_until = 0, run_at = 0 where kind like 'payments.%'",
        "update orders set release_at = 0 where status = 'awaiting_payment'",
        "update provider_attempts set tried_at = 0",
        "update provider_tokens set granted_at = 0, previous_granted_at = 0, granting = false",
        "delete from periodic_tasks where name like 'payments.%'",
    ] {
        db.query(sql).execute().await?;
    }
    let sql = "update payments set checked_at = 0, created_at = created_at - $1";
    db.query(sql).bind(HOUR_MS).execute().await?;
    Ok(())
}

/// What is still to be done.
#[derive(Clone, Debug, PartialEq, Eq, sqlx::FromRow)]
struct Left {
    /// Jobs of payments.
    jobs: i64,
    /// Orders that await payment.
    awaiting: i64,
    /// Open payments that were not asked about.
    unasked: i64,
}

async fn wait_until_settled(db: &Db, since: Timestamp) -> BenchResult {
    let sql = "select (select count(*) from jobs where kind like 'payments.%') as jobs,
                 (select count(*) from orders where status = 'awaiting_payment') as awaiting,
                 (select count(*) from payments where state in ('pending', 'processing') and reference <> ''
                   and checked_at < $1) as unasked";
    let (mut changed, mut before) = (Instant::now(), None);
    loop {
        let left: Left = db.query(sql).bind(since).one().await?;
        match left {
            Left { jobs: 0, awaiting: 0, unasked: 0 } => return Ok(()),
            // A limited number is asked about at once.
            Left { jobs: 0, awaiting: 0, .. } => {
                let sql = "delete from periodic_tasks where name = 'payments.reconcile'";
                db.query(sql).execute().await?;
            }
            _ => {}
        }
        if before.as_ref() != Some(&left) {
            (changed, before) = (Instant::now(), Some(left));
        } else if changed.elapsed() > PATIENCE {
            let sql = "select kind, coalesce(last_error, '') from jobs where kind like 'payments.%' limit 5";
            let jobs: Vec<(String, String)> = db.query(sql).all().await?;
            return Err(format!("this is left, and does not get less: {left:?}, {jobs:?}").into());
        }
        tokio::time::sleep(PAUSE).await;
    }
}
