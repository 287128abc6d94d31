//! Rates to begin with. Which goods are in which class is for the shop's accountant to say.

use super::TaxRules;

/// The names and the files.
const PRESETS: [(&str, &str); 2] =
    [("bd", include_str!("presets/bd.json")), ("eu", include_str!("presets/eu.json"))];

/// The rules of a preset, `bd` for Bangladesh or `eu` for the European Union.
pub fn preset(name: &str) -> Result<TaxRules, String> {
    let found = PRESETS.iter().find(|(known, _)| *known == name);
    let names = PRESETS.map(|(known, _)| known).join(", ");
    let (_, text) = found.ok_or_else(|| format!("{name:?} is none of {names}"))?;
    serde_json::from_str(text).map_err(|why| why.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use postal_address::Destination;

    fn percents(name: &str, country: &str, class: &str, day: &str) -> Vec<String> {
        let rules = preset(name).unwrap().check().unwrap();
        let to = Destination::of_country(country.parse().unwrap());
        let rates = rules.rates_at(Some(&to), day.parse().unwrap()).of_class(class);
        rates.iter().map(|rate| rate.percent.to_string()).collect()
    }

    #[test]
    fn presets_are_valid_and_dated() {
        assert_eq!(percents("bd", "BD", "standard", "2026-11-19"), ["15"]);
        assert_eq!(percents("bd", "BD", "reduced-7-5", "2026-11-19"), ["7.5"]);
        assert_eq!(percents("bd", "BD", "exempt", "2026-11-19"), ["0"]);
        assert!(percents("bd", "BD", "standard", "2019-06-30").is_empty());
        assert!(percents("bd", "DE", "standard", "2026-11-19").is_empty());
        for (day, percent) in [("2025-06-30", "22"), ("2025-07-01", "24")] {
            assert_eq!(percents("eu", "EE", "standard", day), [percent], "{day}");
        }
        assert_eq!(percents("eu", "DE", "reduced", "2026-11-19"), ["7"]);
        // It has no reduced rate.
        assert_eq!(percents("eu", "DK", "reduced", "2026-11-19"), ["25"]);
        let countries = preset("eu").unwrap();
        let standard = countries.rates.iter().filter(|rate| rate.class.is_standard());
        let mut places: Vec<String> = standard.map(|rate| rate.places[0].to_string()).collect();
        places.dedup();
        assert_eq!(places.len(), 27);
        assert!(preset("us").is_err());
    }
}
