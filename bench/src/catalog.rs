//! Generates a large catalogue to import.

use std::io::{BufWriter, Write};
use std::path::Path;

use crate::BenchResult;

const RANGES: usize = 8;

pub fn write(path: &Path, count: usize) -> BenchResult {
    let mut file = BufWriter::new(std::fs::File::create(path)?);
    write!(file, "{{\"categories\": [")?;
    for range in 0..RANGES {
        let comma = if range == 0 { "" } else { "," };
        write!(
            file,
            "{comma}{{\"_id\": \"range-{range}\", \"name\": \"Range {range}\", \"img\": \"/favicon.svg\"}}"
        )?;
    }
    write!(file, "], \"products\": [")?;
    for n in 0..count {
        let comma = if n == 0 { "\n" } else { ",\n" };
        let (range, price, stock) = (n % RANGES, 10 + n * 7919 % 900, n * 31 % 50);
        write!(
            file,
            "{comma}{{\"_id\": \"goods-{n}\", \"category\": \"range-{range}\", \"name\": \"Thing number {n} of the long shelf\", \
             \"sku\": \"G-{n}\", \"brand\": \"Brand {brand}\", \"img\": [\"/favicon.svg\"], \"realPrice\": {price}, \
             \"qtn\": {stock}, \"rating\": 4.5, \"unitsSold\": {sold}, \"colours\": [\"Sand\", \"Ink\"], \"tags\": [\"long\", \"shelf\"], \
             \"attributes\": [{{\"name\": \"Number\", \"value\": \"{n}\"}}], \
             \"fullDescription\": \"{description}\"}}",
            brand = n % 40,
            sold = n * 17 % 1000,
            description =
                "One of very many things, each described in as many words as a real one. "
                    .repeat(6),
        )?;
    }
    write!(file, "]}}")?;
    file.flush()?;
    Ok(())
}
