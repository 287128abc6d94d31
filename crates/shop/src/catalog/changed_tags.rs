//! The cache tags that a set of catalogue changes bumps, each once.

use std::collections::BTreeSet;

use platform::revisions::CacheTag;

use super::import::NewProduct;
use super::{
    CategoryId, Product, ProductId, catalog_tag, categories_tag, category_tag, product_tag,
};

#[derive(Default)]
pub(super) struct ChangedTags(pub(super) BTreeSet<CacheTag>);

impl ChangedTags {
    /// A category, or how many products it has, changed.
    pub(super) fn category(&mut self, id: &CategoryId) {
        self.0.extend([catalog_tag(), categories_tag(), category_tag(id)]);
    }

    /// Something changed by which a product is sorted or filtered.
    pub(super) fn product(&mut self, id: &ProductId, category: &CategoryId) {
        self.0.extend([catalog_tag(), category_tag(category), product_tag(id)]);
    }

    /// `stock_only`: nothing changed by which it is sorted or filtered.
    pub(super) fn product_written(
        &mut self,
        new: &NewProduct,
        old: Option<&Product>,
        stock_only: bool,
    ) {
        match old {
            Some(_) if stock_only => {
                self.0.insert(product_tag(&new.id));
            }
            Some(old) if old.category == new.category && old.status == new.status => {
                self.product(&new.id, &new.category);
            }
            _ => {
                self.product(&new.id, &new.category);
                self.category(&new.category);
                if let Some(old) = old {
                    self.category(&old.category);
                }
            }
        }
    }
}
