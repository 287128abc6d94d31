//! The shop's details: name, contact, charges and terms, and the placeholders such as `{{shop.name}}`
//! in content. Lines with a placeholder that is not set are left out.

use std::borrow::Cow;

use platform::Money;

use super::{Feature, Icon};
use crate::quote::Charges;
use crate::settings::{Retention, ShopProfile};

#[derive(Clone, Debug, Default)]
pub struct ShopDetails {
    pub name: String,
    pub tagline: String,
    pub email: String,
    pub phone: String,
    pub address: String,
    /// How long personal data is kept.
    pub retention: Retention,
    pub shipping: Money,
    pub vat: Money,
    pub free_delivery_over: Option<Money>,
    /// Days after delivery within which a return may be requested.
    pub return_window: u16,
}

impl ShopDetails {
    pub const NAMES: [&str; 8] = [
        "shop.name",
        "shop.tagline",
        "shop.email",
        "shop.phone",
        "shop.address",
        "shop.delivery",
        "shop.vat",
        "shop.return_window",
    ];

    pub fn new(front: &ShopProfile) -> Self {
        Self {
            name: front.shop_name.clone(),
            tagline: front.tagline.clone(),
            email: front.email.clone(),
            phone: front.phone.clone(),
            address: front.address.clone(),
            ..Self::default()
        }
    }

    pub fn with_retention(self, retention: &Retention) -> Self {
        Self { retention: retention.clone(), ..self }
    }

    pub fn with_charges(self, charges: &Charges, return_window: u16) -> Self {
        Self {
            shipping: charges.shipping,
            vat: charges.vat,
            free_delivery_over: charges.free_delivery_over,
            return_window,
            ..self
        }
    }

    /// A placeholder's value, empty when it is not set; `None` when there is no such placeholder.
    pub(super) fn lookup(&self, name: &str) -> Option<Cow<'_, str>> {
        match name {
            "shop.name" => Some(self.name.as_str().into()),
            "shop.tagline" => Some(self.tagline.as_str().into()),
            "shop.email" => Some(self.email.as_str().into()),
            "shop.phone" => Some(self.phone.as_str().into()),
            "shop.address" => Some(self.address.as_str().into()),
            "shop.delivery" => Some(self.delivery().into()),
            "shop.vat" => {
                Some(if self.vat > Money::ZERO { short(self.vat) } else { String::new() }.into())
            }
            "shop.return_window" => Some(self.return_days().into()),
            _ => self.retention.describe(name.strip_prefix("kept.")?).map(Cow::from),
        }
    }

    fn delivery(&self) -> String {
        let cost = short(self.shipping);
        match self.free_delivery_over {
            _ if self.shipping == Money::ZERO => "Delivery is free.".into(),
            Some(over) => format!(
                "Delivery costs {cost} for each order, and nothing when the goods cost more than {}.",
                short(over)
            ),
            None => format!("Delivery costs {cost} for each order."),
        }
    }

    fn return_days(&self) -> String {
        match self.return_window {
            0 => String::new(),
            1 => "one day".into(),
            days => format!("{days} days"),
        }
    }

    /// Selling points derived from the settings, for a home page without its own.
    pub(super) fn features(&self) -> Vec<Feature> {
        let feature = |icon, title: String, text: String, link: Option<&str>| Feature {
            icon,
            title,
            text,
            link: link.map(str::to_owned),
        };
        let delivery = match self.free_delivery_over {
            _ if self.shipping == Money::ZERO => ("Free Delivery", "for all orders".to_owned()),
            Some(over) => ("Free Delivery", format!("for all orders over {}", short(over))),
            None => ("Delivery", format!("{} for each order", short(self.shipping))),
        };
        let returns = (self.return_window > 0).then(|| {
            let title = match self.return_window {
                1 => "1 Day Return".to_owned(),
                days => format!("{days} Days Return"),
            };
            feature(Icon::Return, title, "counted from the delivery".into(), Some("/return"))
        });
        let delivery = feature(Icon::Delivery, delivery.0.into(), delivery.1, None);
        let payment =
            feature(Icon::Payment, "Cash on Delivery".into(), "pay when it arrives".into(), None);
        let support =
            feature(Icon::Support, "Support".into(), "write to us".into(), Some("/contact"));
        [Some(delivery), returns, Some(payment), Some(support)].into_iter().flatten().collect()
    }

    pub(super) fn interpolate(&self, text: &str) -> String {
        let (mut filled, mut rest) = (String::new(), text);
        while let Some((before, name, after)) = next_placeholder(rest) {
            filled.push_str(before);
            filled.push_str(&self.lookup(name).unwrap_or_default());
            rest = after;
        }
        filled + rest
    }

    /// Removes lines with placeholders that are not set.
    pub(super) fn without_unset_lines<'t>(&self, text: &'t str) -> Cow<'t, str> {
        let is_unset = |line: &str| {
            let mut rest = line;
            while let Some((_, name, after)) = next_placeholder(rest) {
                if self.lookup(name).is_some_and(|value| value.trim().is_empty()) {
                    return true;
                }
                rest = after;
            }
            false
        };
        if !text.lines().any(is_unset) {
            return text.into();
        }
        let lines = text.split_inclusive('\n').filter(|line| !is_unset(line));
        lines.collect::<String>().into()
    }
}

/// Whole dollars without cents.
fn short(amount: Money) -> String {
    let shown = amount.to_string();
    shown.strip_suffix(".00").map_or(shown.clone(), str::to_owned)
}

/// The text before the next `{{name}}`, the name, and the text after.
pub(super) fn next_placeholder(text: &str) -> Option<(&str, &str, &str)> {
    let (before, rest) = text.split_once("{{")?;
    let (name, after) = rest.split_once("}}")?;
    Some((before, name.trim(), after))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_with_unset_placeholders_are_left_out() {
        let details = ShopDetails {
            name: "Oak".into(),
            email: "a@b.example".into(),
            ..ShopDetails::default()
        };
        let text = "{{shop.name}}\n\n- {{shop.email}}\n- {{shop.phone}}\n- Call {{ shop.phone }} or not\nend";
        assert_eq!(details.without_unset_lines(text), "{{shop.name}}\n\n- {{shop.email}}\nend");
        assert_eq!(details.without_unset_lines("plain"), "plain");
        assert!(ShopDetails::NAMES.iter().all(|name| details.lookup(name).is_some()));
    }

    #[test]
    fn delivery_and_features_follow_the_settings() {
        let dollars = |dollars: i64| Money::cents(dollars * 100);
        let shop = |shipping, over, return_window| ShopDetails {
            shipping: dollars(shipping),
            free_delivery_over: over,
            return_window,
            ..ShopDetails::default()
        };
        let said = |details: &ShopDetails| -> Vec<String> {
            details.features().iter().map(|one| format!("{}: {}", one.title, one.text)).collect()
        };
        let flat = shop(40, None, 0);
        assert_eq!(flat.delivery(), "Delivery costs $40 for each order.");
        assert_eq!(said(&flat)[0], "Delivery: $40 for each order");
        assert_eq!(said(&flat).len(), 3, "nothing is promised about returns");
        let over = shop(40, Some(Money::cents(9950)), 14);
        assert!(over.delivery().ends_with("nothing when the goods cost more than $99.50."));
        assert_eq!(
            said(&over)[..2],
            [
                "Free Delivery: for all orders over $99.50",
                "14 Days Return: counted from the delivery"
            ]
        );
        assert_eq!(shop(0, None, 7).delivery(), "Delivery is free.");
    }
}
