//! The shop's details: name, contact, charges and terms, and the placeholders such as `{{shop.name}}`
//! in content. Lines with a placeholder that is not set are left out.

use std::borrow::Cow;

use messages::{Args, Messages, format};
use platform::{Language, Languages, Money};
use serde::Deserialize;

use super::{Feature, Icon, SectionHeading, Sections};
use crate::pricing::Charges;
use crate::settings::{Retention, ShopProfile};

#[derive(Clone, Debug, Default)]
pub struct ShopDetails {
    pub languages: Languages,
    /// The language of the details; `None` is the default one.
    pub language: Option<Language>,
    /// The language of the pages that texts link to. That of a text which is not translated is another one.
    pub links: Option<Language>,
    pub name: String,
    pub tagline: String,
    pub email: String,
    pub phone: String,
    pub address: String,
    /// How long personal data is kept.
    pub retention: Retention,
    /// In the shop's base currency or, on the home page, in that of the page; and so are the other amounts.
    pub shipping: Money,
    pub vat: Money,
    pub free_delivery_over: Option<Money>,
    /// Days after delivery within which a return may be requested.
    pub return_window: u16,
}

/// `shop.json`: the shop's settings in another language. Those that are left out are as in the settings.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ShopTexts {
    pub name: Option<String>,
    pub tagline: Option<String>,
    pub address: Option<String>,
}

impl ShopTexts {
    pub fn translate(&self, profile: &ShopProfile) -> ShopProfile {
        let Self { name, tagline, address } = self.clone();
        let mut profile = profile.clone();
        profile.shop_name = name.unwrap_or(profile.shop_name);
        profile.tagline = tagline.unwrap_or(profile.tagline);
        profile.address = address.unwrap_or(profile.address);
        profile
    }
}

impl ShopDetails {
    pub const NAMES: [&str; 9] = [
        "shop.name",
        "shop.tagline",
        "shop.email",
        "shop.phone",
        "shop.address",
        "shop.delivery",
        "shop.free_delivery_over",
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

    pub fn with_languages(self, languages: &Languages) -> Self {
        Self { languages: languages.clone(), ..self }
    }

    pub fn in_language(self, language: Language) -> Self {
        Self { language: Some(language), ..self }
    }

    /// For content in this language, with its texts of the shop.
    pub(super) fn translated(&self, language: Language, texts: &ShopTexts) -> Self {
        let ShopTexts { name, tagline, address } = texts.clone();
        Self {
            language: Some(language),
            links: Some(language),
            name: name.unwrap_or_else(|| self.name.clone()),
            tagline: tagline.unwrap_or_else(|| self.tagline.clone()),
            address: address.unwrap_or_else(|| self.address.clone()),
            ..self.clone()
        }
    }

    /// The address of a page of this shop in the language of the content.
    pub(super) fn localize(&self, address: String) -> String {
        let is_page = address.starts_with('/')
            && !["/api/", "/assets/", "/media/"].iter().any(|start| address.starts_with(start));
        match self.links {
            Some(language) if is_page && self.languages.split_path(&address).0.is_none() => {
                self.languages.localize(language, &address)
            }
            _ => address,
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
            "shop.free_delivery_over" => {
                let over = self.free_delivery_over.map(|over| self.short(over));
                Some(over.unwrap_or_default().into())
            }
            "shop.vat" => Some(
                if self.vat.is_positive() { self.short(self.vat) } else { String::new() }.into(),
            ),
            "shop.return_window" => Some(self.return_days().into()),
            _ => {
                let name = name.strip_prefix("kept.")?;
                self.retention.describe(name, self.language()).map(Cow::from)
            }
        }
    }

    /// The language of the details.
    pub(super) fn language(&self) -> Language {
        self.language.unwrap_or(self.languages.default_language())
    }

    /// A message in the language of the details.
    pub(super) fn message(&self, key: &str, args: Args<'_>) -> String {
        Messages::text(self.language(), key, args)
    }

    /// A whole amount without decimals.
    fn short(&self, amount: Money) -> String {
        let shown = format::money(self.language(), amount);
        let (_, decimals) = amount.parts();
        let decimals = format::digits(self.language(), format!(".{decimals}"));
        let is_whole = amount.minor() % amount.currency().minor_per_unit() == 0;
        let short = shown.strip_suffix(&decimals).filter(|_| is_whole);
        short.map_or(shown.clone(), str::to_owned)
    }

    fn delivery(&self) -> String {
        let cost = self.short(self.shipping);
        match self.free_delivery_over {
            _ if self.shipping.is_zero() => self.message("server.deliveryFree", &[]),
            Some(over) => {
                let over = self.short(over);
                self.message("server.deliveryCostBelow", &[("cost", &cost), ("over", &over)])
            }
            None => self.message("server.deliveryCost", &[("cost", &cost)]),
        }
    }

    fn return_days(&self) -> String {
        match self.return_window {
            0 => String::new(),
            days => self.message("server.days", &[("days", &days)]),
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
        let say = |key: &str| self.message(key, &[]);
        let (title, text) = match self.free_delivery_over {
            _ if self.shipping.is_zero() => {
                ("server.featureFreeDelivery", say("server.featureFreeDeliveryText"))
            }
            Some(over) => {
                let over = self.short(over);
                let text = self.message("server.featureFreeDeliveryOver", &[("over", &over)]);
                ("server.featureFreeDelivery", text)
            }
            None => {
                let cost = self.short(self.shipping);
                (
                    "server.featureDelivery",
                    self.message("server.featureDeliveryText", &[("cost", &cost)]),
                )
            }
        };
        let delivery = feature(Icon::Delivery, say(title), text, None);
        let returns = (self.return_window > 0).then(|| {
            let title = self.message("server.featureReturn", &[("days", &self.return_window)]);
            feature(Icon::Return, title, say("server.featureReturnText"), Some("/return"))
        });
        let payment = feature(
            Icon::Payment,
            say("server.featurePayment"),
            say("server.featurePaymentText"),
            None,
        );
        let support = feature(
            Icon::Support,
            say("server.featureSupport"),
            say("server.featureSupportText"),
            Some("/contact"),
        );
        [Some(delivery), returns, Some(payment), Some(support)].into_iter().flatten().collect()
    }

    /// Headings of the home page's sections, where it has none of its own.
    pub(super) fn sections(&self) -> Sections {
        let heading = |title: &str, more: &str| SectionHeading {
            title: self.message(title, &[]),
            text: String::new(),
            more: if more.is_empty() { String::new() } else { self.message(more, &[]) },
        };
        Sections {
            flash: heading("server.sectionFlash", "server.sectionFlashMore"),
            products: heading("server.sectionProducts", "server.sectionProductsMore"),
            categories: heading("server.sectionCategories", ""),
            posts: heading("server.sectionPosts", "server.sectionPostsMore"),
            newsletter: heading("server.sectionNewsletter", ""),
        }
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
        if !text.lines().any(|line| self.is_unset(line)) {
            return text.into();
        }
        let lines = text.split_inclusive('\n').filter(|line| !self.is_unset(line));
        lines.collect::<String>().into()
    }

    /// Whether a line has a placeholder that is not set.
    pub(super) fn is_unset(&self, line: &str) -> bool {
        let mut rest = line;
        while let Some((_, name, after)) = next_placeholder(rest) {
            if self.lookup(name).is_some_and(|value| value.trim().is_empty()) {
                return true;
            }
            rest = after;
        }
        false
    }
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
    use crate::content::Home;

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
        let dollars = |dollars: i64| Money::new(dollars * 100, platform::Currency::USD);
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
        let over = shop(40, Some(Money::new(9950, platform::Currency::USD)), 14);
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

    #[test]
    fn features_of_the_home_page_follow_the_settings_and_the_currency() {
        let feature = |text: &str| Feature {
            icon: Icon::Delivery,
            title: "Free in {{shop.name}}".into(),
            text: text.into(),
            link: None,
        };
        let own = vec![feature("over {{shop.free_delivery_over}}"), feature("by bicycle")];
        let home = |features| Home {
            slides: Vec::new(),
            features,
            sections: ShopDetails::default().sections(),
            lang: None,
        };
        let details = |over| ShopDetails {
            name: "Oak".into(),
            free_delivery_over: over,
            ..ShopDetails::default()
        };
        let taka = Some(Money::new(1_193_000, "BDT".parse().unwrap()));
        let texts = |home: &Home, details: &ShopDetails| -> Vec<String> {
            home.features(details).into_iter().map(|one| one.text).collect()
        };
        let with_own = home(Some(own));
        assert_eq!(texts(&with_own, &details(taka)), ["over ৳11,930", "by bicycle"]);
        assert_eq!(with_own.features(&details(taka))[0].title, "Free in Oak");
        assert_eq!(texts(&with_own, &details(None)), ["by bicycle"]);
        let bangla = details(taka).in_language("bn".parse().unwrap());
        assert_eq!(texts(&with_own, &bangla)[0], "over ৳১১,৯৩০");
        let shipping = Money::new(100, "BDT".parse().unwrap());
        let paid = ShopDetails { shipping, ..details(taka) };
        assert_eq!(texts(&home(None), &paid)[0], "for all orders over ৳11,930");
    }
}
