//! In-memory rows, one per product, that filters, facet counts and sorting read instead of the index.

use std::collections::HashMap;

use tantivy::columnar::{Column, StrColumn};
use tantivy::{SegmentReader, TantivyError};

use crate::prices::SegmentPrices;
use crate::schema::Fields;

/// One product. A million rows must fit in memory, so strings are interned as numbers.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// In the smallest unit of the base currency.
    pub price: i64,
    pub created_at: i64,
    pub popularity: u32,
    /// A hash of the id, which breaks ties in the sort order, the same on every server.
    pub tie: u32,
    pub brand: u32,
    /// The number of its set of traits: there are far fewer sets than products.
    pub traits: u32,
    pub category: u32,
    /// In hundredths of a star.
    pub rating: u16,
    pub in_stock: bool,
    pub on_offer: bool,
}

/// Maps strings to small numbers and back.
#[derive(Clone, Debug, Default)]
pub struct Interner {
    numbers: HashMap<Box<str>, u32>,
    names: Vec<Box<str>>,
}

impl Interner {
    pub fn intern(&mut self, name: &str) -> u32 {
        if let Some(number) = self.numbers.get(name) {
            return *number;
        }
        let number = u32::try_from(self.names.len()).unwrap_or(u32::MAX);
        self.numbers.insert(name.into(), number);
        self.names.push(name.into());
        number
    }

    pub fn get(&self, name: &str) -> Option<u32> {
        self.numbers.get(name).copied()
    }

    pub fn len(&self) -> usize {
        self.names.len()
    }

    pub fn name(&self, number: usize) -> &str {
        self.names.get(number).map_or("", |name| name)
    }
}

/// The interned strings of all rows.
#[derive(Clone, Debug, Default)]
pub struct Interners {
    pub brands: Interner,
    pub categories: Interner,
    /// By `TraitName::key`.
    pub traits: Interner,
    /// Sets of traits, by set number.
    pub sets: Vec<Box<[u32]>>,
    set_numbers: HashMap<Box<[u32]>, u32>,
}

impl Interners {
    /// The number of a set of traits.
    pub fn intern_set(&mut self, mut traits: Vec<u32>) -> u32 {
        traits.sort_unstable();
        traits.dedup();
        if let Some(number) = self.set_numbers.get(traits.as_slice()) {
            return *number;
        }
        let number = u32::try_from(self.sets.len()).unwrap_or(u32::MAX);
        self.sets.push(traits.clone().into());
        self.set_numbers.insert(traits.into(), number);
        number
    }
}

/// The products of one segment of the index.
#[derive(Debug, Default)]
pub struct SegmentRows {
    /// By document number.
    pub rows: Vec<Row>,
    pub prices: SegmentPrices,
}

pub fn read_segment(
    segment: &SegmentReader,
    fields: &Fields,
    interners: &mut Interners,
) -> Result<SegmentRows, TantivyError> {
    let (fast, schema) = (segment.fast_fields(), segment.schema());
    let name = |field| schema.get_field_name(field);
    let (price, created_at) = (fast.i64(name(fields.price))?, fast.i64(name(fields.created_at))?);
    let (popularity, tie) = (fast.u64(name(fields.popularity))?, fast.u64(name(fields.tie))?);
    let rating = fast.u64(name(fields.rating))?;
    let (in_stock, on_offer) =
        (fast.bool(name(fields.in_stock))?, fast.bool(name(fields.on_offer))?);
    let brand = InternedColumn::new(fast.str(name(fields.brand))?, &mut interners.brands)?;
    let category =
        InternedColumn::new(fast.str(name(fields.category))?, &mut interners.categories)?;
    let traits = InternedColumn::new(fast.str(name(fields.traits))?, &mut interners.traits)?;
    let small = |column: &Column<u64>, doc| {
        u32::try_from(column.first(doc).unwrap_or(0)).unwrap_or(u32::MAX)
    };
    let row = |doc| Row {
        price: price.first(doc).unwrap_or(0),
        created_at: created_at.first(doc).unwrap_or(0),
        popularity: small(&popularity, doc),
        tie: small(&tie, doc),
        brand: brand.first(doc),
        traits: interners.intern_set(traits.all(doc)),
        category: category.first(doc),
        rating: u16::try_from(small(&rating, doc)).unwrap_or(u16::MAX),
        in_stock: in_stock.first(doc).unwrap_or(false),
        on_offer: on_offer.first(doc).unwrap_or(false),
    };
    let rows = (0..segment.max_doc()).map(row).collect();
    let prices = fast.str(name(fields.prices))?;
    Ok(SegmentRows { rows, prices: SegmentPrices::read(prices.as_ref(), segment.max_doc())? })
}

/// A text column of a segment, read as interned numbers.
struct InternedColumn {
    column: Option<StrColumn>,
    numbers: Vec<u32>,
    none: u32,
}

impl InternedColumn {
    fn new(column: Option<StrColumn>, names: &mut Interner) -> Result<Self, TantivyError> {
        let (mut numbers, mut name) = (Vec::new(), String::new());
        if let Some(column) = &column {
            for ord in 0..column.num_terms() as u64 {
                name.clear();
                column.ord_to_str(ord, &mut name)?;
                numbers.push(names.intern(&name));
            }
        }
        Ok(Self { column, numbers, none: names.intern("") })
    }

    fn number(&self, ord: u64) -> u32 {
        self.numbers.get(ord as usize).copied().unwrap_or(self.none)
    }

    fn first(&self, doc: u32) -> u32 {
        self.column
            .as_ref()
            .and_then(|column| column.ords().first(doc))
            .map_or(self.none, |ord| self.number(ord))
    }

    fn all(&self, doc: u32) -> Vec<u32> {
        let Some(column) = &self.column else { return Vec::new() };
        column.term_ords(doc).map(|ord| self.number(ord)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_takes_at_most_40_bytes() {
        assert!(size_of::<Row>() <= 40);
    }
}
