//! Currencies: their codes, decimals and symbols.

use std::fmt;
use std::str::FromStr;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use utoipa::openapi::schema::{ObjectBuilder, Type};

/// A currency by its code in ISO 4217, such as USD.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Currency([u8; 3]);

/// All codes of ISO 4217 that are money in use, without funds, metals and test codes.
const CODES: &str = "AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BHD BIF BMD BND BOB BRL BSD BTN BWP BYN BZD CAD \
    CDF CHF CLP CNY COP CRC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GNF GTQ GYD HKD \
    HNL HTG HUF IDR ILS INR IQD IRR ISK JMD JOD JPY KES KGS KHR KMF KPW KRW KWD KYD KZT LAK LBP LKR LRD LSL LYD MAD \
    MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR \
    RON RSD RUB RWF SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TND TOP TRY TTD TWD TZS \
    UAH UGX USD UYU UZS VES VND VUV WST XAF XCD XCG XOF XPF YER ZAR ZMW ZWG";

impl Currency {
    pub const USD: Self = Self(*b"USD");
    pub const BDT: Self = Self(*b"BDT");

    pub fn all() -> impl Iterator<Item = Self> {
        CODES.split(' ').filter_map(|code| code.as_bytes().try_into().ok().map(Self))
    }

    pub fn code(&self) -> &str {
        // Never fails: a code is three letters.
        std::str::from_utf8(&self.0).unwrap_or_default()
    }

    pub const fn decimals(self) -> u32 {
        match &self.0 {
            b"BIF" | b"CLP" | b"DJF" | b"GNF" | b"ISK" | b"JPY" | b"KMF" | b"KRW" | b"PYG"
            | b"RWF" | b"UGX" | b"VND" | b"VUV" | b"XAF" | b"XOF" | b"XPF" => 0,
            b"BHD" | b"IQD" | b"JOD" | b"KWD" | b"LYD" | b"OMR" | b"TND" => 3,
            _ => 2,
        }
    }

    /// How many of its smallest unit are one of it: 100 cents are a dollar.
    pub const fn minor_per_unit(self) -> i64 {
        10_i64.pow(self.decimals())
    }

    /// Written directly before an amount; the code of a currency without one is written with a space.
    pub fn symbol(self) -> Option<&'static str> {
        match &self.0 {
            b"USD" => Some("$"),
            b"EUR" => Some("€"),
            b"GBP" => Some("£"),
            b"JPY" => Some("¥"),
            b"BDT" => Some("৳"),
            _ => None,
        }
    }

    /// Whether `৳1,200` is written without `.00`.
    pub fn leaves_out_zero_decimals(self) -> bool {
        self == Self::BDT
    }
}

impl Default for Currency {
    fn default() -> Self {
        Self::USD
    }
}

impl FromStr for Currency {
    type Err = String;

    fn from_str(code: &str) -> Result<Self, String> {
        let wrong = || "expected the code of a currency, such as USD or BDT".to_owned();
        let letters: [u8; 3] = code.as_bytes().try_into().map_err(|_| wrong())?;
        match CODES.split(' ').any(|known| known == code) {
            true => Ok(Self(letters)),
            false => Err(wrong()),
        }
    }
}

impl TryFrom<String> for Currency {
    type Error = String;

    fn try_from(code: String) -> Result<Self, String> {
        code.parse().map_err(|_| format!("{code} is not a currency"))
    }
}

impl fmt::Display for Currency {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.code())
    }
}

impl fmt::Debug for Currency {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code())
    }
}

impl Serialize for Currency {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.code())
    }
}

impl<'de> Deserialize<'de> for Currency {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::try_from(String::deserialize(deserializer)?).map_err(D::Error::custom)
    }
}

impl utoipa::PartialSchema for Currency {
    fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::Schema> {
        ObjectBuilder::new()
            .schema_type(Type::String)
            .pattern(Some("^[A-Z]{3}$"))
            .description(Some("A code of ISO 4217"))
            .examples(["USD", "BDT"])
            .build()
            .into()
    }
}

impl utoipa::ToSchema for Currency {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_is_listed_once_and_decimals_are_those_of_the_standard() {
        let all: Vec<Currency> = Currency::all().collect();
        assert_eq!(all.len(), CODES.split(' ').count());
        assert!(all.is_sorted());
        let decimals = |code: &str| code.parse::<Currency>().unwrap().decimals();
        assert_eq!(["JPY", "USD", "BDT", "KWD"].map(decimals), [0, 2, 2, 3]);
        // All of those with other than two are listed.
        let count = |decimals| all.iter().filter(|one| one.decimals() == decimals).count();
        assert_eq!([count(0), count(3)], [16, 7]);
    }
}
