//! A picture of a product as the catalogue lists it: its address, and in words what is seen. One that
//! has no words is written as its address alone.

use std::fmt;

use serde::de::value::MapAccessDeserializer;
use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Photo {
    pub src: String,
    /// What is seen; empty where nobody said.
    pub alt: String,
    /// The colour of the product that it shows, where that is not the first.
    pub colour: Option<String>,
}

#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct Worded {
    src: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    alt: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    colour: Option<String>,
}

impl Photo {
    pub fn is_bare(&self) -> bool {
        self.alt.is_empty() && self.colour.is_none()
    }
}

/// For the API, where a product's `img` is a list of addresses.
pub fn addresses<S: Serializer>(photos: &[Photo], to: S) -> Result<S::Ok, S::Error> {
    to.collect_seq(photos.iter().map(|photo| &photo.src))
}

impl Serialize for Photo {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        if self.is_bare() {
            return to.serialize_str(&self.src);
        }
        let Self { src, alt, colour } = self.clone();
        Worded { src, alt, colour }.serialize(to)
    }
}

/// By hand, because a derived choice between the two forms would not say what is wrong, nor where.
impl<'de> Deserialize<'de> for Photo {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Either;
        impl<'de> Visitor<'de> for Either {
            type Value = Photo;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a picture's address, or an object with src, alt and colour")
            }

            fn visit_str<E>(self, src: &str) -> Result<Photo, E> {
                Ok(Photo { src: src.to_owned(), ..Photo::default() })
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Photo, A::Error> {
                let Worded { src, alt, colour } =
                    Worded::deserialize(MapAccessDeserializer::new(map))?;
                Ok(Photo { src, alt, colour })
            }
        }
        from.deserialize_any(Either)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_forms_are_read_and_each_is_written_as_it_came() {
        let text = r#"["/a.jpg",{"src":"/b.jpg","alt":"Seen from behind","colour":"Ink"}]"#;
        let photos: Vec<Photo> = serde_json::from_str(text).unwrap();
        assert_eq!((photos[0].src.as_str(), photos[0].is_bare()), ("/a.jpg", true));
        assert_eq!(photos[1].colour.as_deref(), Some("Ink"));
        assert_eq!(serde_json::to_string(&photos).unwrap(), text);
        for (wrong, why) in [
            ("7", "expected a picture's address"),
            (r#"{"alt": "x"}"#, "missing field `src`"),
            (r#"{"src": "/a", "color": "Ink"}"#, "unknown field `color`"),
        ] {
            let said = serde_json::from_str::<Photo>(wrong).unwrap_err().to_string();
            assert!(said.contains(why), "{said}");
        }
    }
}
