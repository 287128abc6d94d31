//! Finds cards by what shoppers type. Unknown codes are counted per network, so that codes cannot be guessed.

use platform::http::ClientIp;
use platform::rate_limit::{self, Limit};
use platform::{Clock, Currency, Db, Error, Result};

use super::{CodeHash, GiftCard, GiftCardId, store};

/// Unknown codes from one network.
const GUESSES: Limit = Limit::per_hour(50);

fn guesses_from(peer: ClientIp) -> String {
    format!("unknown gift cards from {}", peer.network())
}

/// Whether so many unknown codes came from a network that no further code is looked up.
async fn is_guessing(db: &Db, clock: &Clock, peer: Option<ClientIp>) -> Result<bool> {
    match peer {
        Some(peer) => rate_limit::is_used_up(db, clock.now(), &guesses_from(peer), GUESSES).await,
        None => Ok(false),
    }
}

async fn count_guess(db: &Db, clock: &Clock, peer: Option<ClientIp>) -> Result<()> {
    let Some(peer) = peer else { return Ok(()) };
    rate_limit::allows(db, clock, &[(guesses_from(peer), GUESSES)]).await.map(drop)
}

/// The result of looking a typed code up.
pub(super) enum Lookup {
    Found(GiftCard),
    Unknown,
    TooManyGuesses,
}

pub(super) async fn look_up(
    (db, clock): (&Db, &Clock),
    base: Currency,
    peer: Option<ClientIp>,
    hash: &CodeHash,
) -> Result<Lookup> {
    if is_guessing(db, clock, peer).await? {
        return Ok(Lookup::TooManyGuesses);
    }
    match store::by_hash(db, base, clock.now(), hash).await? {
        Some(card) => Ok(Lookup::Found(card)),
        None => {
            count_guess(db, clock, peer).await?;
            Ok(Lookup::Unknown)
        }
    }
}

/// The ids and last characters of cards that are to pay for an order, in the same order; `None` where one is unknown,
/// which is one guess.
pub(crate) async fn find_for_order(
    (db, clock): (&Db, &Clock),
    peer: Option<ClientIp>,
    hashes: &[&CodeHash],
) -> Result<Option<Vec<(GiftCardId, String)>>> {
    if hashes.is_empty() {
        return Ok(Some(Vec::new()));
    }
    if is_guessing(db, clock, peer).await? {
        return Err(Error::RateLimited("Too many requests. Please try again later."));
    }
    let found = store::by_hashes(db, hashes).await?;
    let cards: Vec<_> = hashes.iter().filter_map(|hash| found.get(*hash).cloned()).collect();
    let all = cards.len() == hashes.len();
    if !all {
        count_guess(db, clock, peer).await?;
    }
    Ok(all.then_some(cards))
}
