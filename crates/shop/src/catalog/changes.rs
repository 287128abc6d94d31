//! The scopes that a set of changes to the catalogue moves, each once.

use std::collections::BTreeSet;

use base::revisions::Scope;

use super::import::NewProduct;
use super::{CategoryId, Product, ProductId, scope_of_category, scope_of_product, shelves, whole};

#[derive(Default)]
pub(super) struct Changes(pub(super) BTreeSet<Scope>);

impl Changes {
    /// Something in the list of categories, or in how many products they hold.
    pub(super) fn shelf(&mut self, id: &CategoryId) {
        self.0.extend([whole(), shelves(), scope_of_category(id)]);
    }

    /// Something by which a product is sorted or found.
    pub(super) fn product(&mut self, id: &ProductId, category: &CategoryId) {
        self.0.extend([whole(), scope_of_category(category), scope_of_product(id)]);
    }

    pub(super) fn of_product(&mut self, new: &NewProduct, old: Option<&Product>) {
        match old {
            Some(old) if new.same_but_for_stock(old) && (old.qtn > 0) == (new.qtn > Some(0)) => {
                self.0.insert(scope_of_product(&new.id));
            }
            Some(old) if old.category == new.category => self.product(&new.id, &new.category),
            _ => {
                self.product(&new.id, &new.category);
                self.shelf(&new.category);
                if let Some(old) = old {
                    self.shelf(&old.category);
                }
            }
        }
    }
}
