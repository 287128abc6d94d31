//! What a text may say of the shop without knowing it: the settings behind `{{shop.name}}` and the like. A
//! line of a text that asks for one that is not set is left out.

use std::borrow::Cow;

use base::Money;
use base::config::{Retention, Shopfront};

use super::{Feature, Icon};
use crate::orders;
use crate::quote::Charges;

#[derive(Clone, Debug, Default)]
pub struct Facts {
    pub name: String,
    pub tagline: String,
    pub email: String,
    pub phone: String,
    pub address: String,
    /// How long it keeps what is about people.
    pub kept: Retention,
    pub shipping: Money,
    pub vat: Money,
    pub free_delivery_over: Option<Money>,
    /// Days after delivery in which a return may be asked for.
    pub return_window: u16,
}

impl Facts {
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

    pub fn of(front: &Shopfront) -> Self {
        Self {
            name: front.shop_name.clone(),
            tagline: front.tagline.clone(),
            email: front.email.clone(),
            phone: front.phone.clone(),
            address: front.address.clone(),
            ..Self::default()
        }
    }

    /// With terms of the shop's own.
    pub fn keeping(self, kept: &Retention) -> Self {
        Self { kept: kept.clone(), ..self }
    }

    /// With what is charged beside the goods, and how long they may be sent back.
    pub fn selling(self, charges: &Charges, orders: &orders::Settings) -> Self {
        Self {
            shipping: charges.shipping,
            vat: charges.vat,
            free_delivery_over: charges.free_delivery_over,
            return_window: orders.return_window,
            ..self
        }
    }

    /// What a name stands for, empty where it is not set; nothing where there is no such name.
    pub(super) fn value(&self, name: &str) -> Option<Cow<'_, str>> {
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
            _ => self.kept.said(name.strip_prefix("kept.")?).map(Cow::from),
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

    /// What the settings promise, for the home page of a shop that writes nothing else there.
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

    pub(super) fn fill(&self, text: &str) -> String {
        let (mut filled, mut rest) = (String::new(), text);
        while let Some((before, name, after)) = next_fact(rest) {
            filled.push_str(before);
            filled.push_str(&self.value(name).unwrap_or_default());
            rest = after;
        }
        filled + rest
    }

    /// A text without the lines that ask for what is not set.
    pub(super) fn without_unset_lines<'t>(&self, text: &'t str) -> Cow<'t, str> {
        let asks_for_nothing = |line: &str| {
            let mut rest = line;
            while let Some((_, name, after)) = next_fact(rest) {
                if self.value(name).is_some_and(|value| value.trim().is_empty()) {
                    return true;
                }
                rest = after;
            }
            false
        };
        if !text.lines().any(asks_for_nothing) {
            return text.into();
        }
        let kept = text.split_inclusive('\n').filter(|line| !asks_for_nothing(line));
        kept.collect::<String>().into()
    }
}

/// Whole dollars without cents.
fn short(amount: Money) -> String {
    let shown = amount.to_string();
    shown.strip_suffix(".00").map_or(shown.clone(), str::to_owned)
}

/// The text before the next `{{name}}`, the name, and the text after.
pub(super) fn next_fact(text: &str) -> Option<(&str, &str, &str)> {
    let (before, rest) = text.split_once("{{")?;
    let (name, after) = rest.split_once("}}")?;
    Some((before, name.trim(), after))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_about_what_is_not_set_is_left_out() {
        let facts = Facts { name: "Oak".into(), email: "a@b.example".into(), ..Facts::default() };
        let text = "{{shop.name}}\n\n- {{shop.email}}\n- {{shop.phone}}\n- Call {{ shop.phone }} or not\nend";
        assert_eq!(facts.without_unset_lines(text), "{{shop.name}}\n\n- {{shop.email}}\nend");
        assert_eq!(facts.without_unset_lines("plain"), "plain");
        assert!(Facts::NAMES.iter().all(|name| facts.value(name).is_some()));
    }

    #[test]
    fn delivery_and_features_say_what_is_set() {
        let dollars = |dollars: i64| Money::cents(dollars * 100);
        let shop = |shipping, over, return_window| Facts {
            shipping: dollars(shipping),
            free_delivery_over: over,
            return_window,
            ..Facts::default()
        };
        let said = |facts: &Facts| -> Vec<String> {
            facts.features().iter().map(|one| format!("{}: {}", one.title, one.text)).collect()
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
