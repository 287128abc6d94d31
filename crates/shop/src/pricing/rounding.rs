//! How parts of amounts are rounded and shared out.

use platform::Money;

/// What a part of an amount is rounded to: of whole taka to whole taka.
pub fn smallest_step(of: Money) -> i64 {
    let (currency, per_unit) = (of.currency(), of.currency().minor_per_unit());
    let is_whole = currency.leaves_out_zero_decimals() && of.minor() % per_unit == 0;
    if is_whole { per_unit } else { 1 }
}

/// A part of an amount, half up.
pub fn rounded(of: Money, factor: i128, on: i128) -> Money {
    let (currency, step) = (of.currency(), i128::from(smallest_step(of)));
    let divisor = on * step;
    let steps = (i128::from(of.minor()) * factor + divisor / 2) / divisor;
    Money::new(i64::try_from(steps * step).unwrap_or(i64::MAX), currency)
}

/// Shares an amount out by weights, so that the shares add up to it: what is left after rounding down goes to the largest
/// remainders, one smallest unit each. No share is more than its weight where the amount is at most their sum.
pub fn apportion(amount: i64, weights: &[i64]) -> Vec<i64> {
    let all: i128 = weights.iter().map(|weight| i128::from(*weight)).sum();
    if all == 0 {
        return vec![0; weights.len()];
    }
    let exact = |weight: &i64| i128::from(amount) * i128::from(*weight);
    let mut shares: Vec<i128> = weights.iter().map(|weight| exact(weight) / all).collect();
    let left = i128::from(amount) - shares.iter().sum::<i128>();
    let mut places: Vec<usize> = (0..weights.len()).collect();
    places.sort_by_key(|place| -(exact(&weights[*place]) % all));
    for place in places.into_iter().take(usize::try_from(left).unwrap_or_default()) {
        shares[place] += 1;
    }
    shares.into_iter().map(|share| i64::try_from(share).unwrap_or(i64::MAX)).collect()
}
