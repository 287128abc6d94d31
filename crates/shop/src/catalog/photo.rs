//! A product photo as the catalogue stores it: URL, alternative text and colour. A photo with a URL
//! only is serialized as a plain string.

use std::collections::BTreeMap;
use std::fmt;

use platform::Language;
use serde::de::value::MapAccessDeserializer;
use serde::de::{Error as _, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::translated_fields::{OtherFields, parse_name};

// With `remote`, serde derives functions for the object instead of the traits, which are implemented
// below for both forms.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(remote = "Self", deny_unknown_fields)]
pub struct Photo {
    pub src: String,
    /// Alternative text; may be empty.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub alt: String,
    /// The product's colour in this photo, when it is not the first colour.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub colour: Option<String>,
    /// `alt@bn` and such in an import file; translations are stored elsewhere.
    #[serde(skip)]
    pub alts: BTreeMap<Language, String>,
}

impl Photo {
    pub fn has_src_only(&self) -> bool {
        self.alt.is_empty() && self.colour.is_none()
    }
}

/// Serializes a product's `img` for the API, as a list of URLs.
pub fn addresses<S: Serializer>(photos: &[Photo], to: S) -> Result<S::Ok, S::Error> {
    to.collect_seq(photos.iter().map(|photo| &photo.src))
}

impl Serialize for Photo {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        if self.has_src_only() {
            return to.serialize_str(&self.src);
        }
        Self::serialize(self, to)
    }
}

/// Written by hand because the error of a derived untagged enum names neither the problem nor its
/// position.
impl<'de> Deserialize<'de> for Photo {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct PhotoVisitor;
        impl<'de> Visitor<'de> for PhotoVisitor {
            type Value = Photo;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a picture's address, or an object with src, alt and colour")
            }

            fn visit_str<E>(self, src: &str) -> Result<Photo, E> {
                Ok(Photo { src: src.to_owned(), ..Photo::default() })
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Photo, A::Error> {
                let mut alts = BTreeMap::new();
                let take = |name: &str, map: &mut A| match parse_name(name, &["alt"]) {
                    None => Ok(false),
                    Some(Err(why)) => Err(A::Error::custom(why)),
                    Some(Ok((_, language))) => {
                        let alt = map.next_value::<Option<String>>()?.unwrap_or_default();
                        alts.insert(language, alt);
                        Ok(true)
                    }
                };
                let fields = MapAccessDeserializer::new(OtherFields { map, take });
                let photo = Photo::deserialize(fields)?;
                Ok(Photo { alts, ..photo })
            }
        }
        from.deserialize_any(PhotoVisitor)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn photos_round_trip_as_string_or_object() {
        let text = r#"["/a.jpg",{"src":"/b.jpg","alt":"Seen from behind","colour":"Ink"}]"#;
        let photos: Vec<Photo> = serde_json::from_str(text).unwrap();
        assert_eq!((photos[0].src.as_str(), photos[0].has_src_only()), ("/a.jpg", true));
        assert_eq!(photos[1].colour.as_deref(), Some("Ink"));
        assert_eq!(serde_json::to_string(&photos).unwrap(), text);
        for (wrong, why) in [
            ("7", "expected a picture's address"),
            (r#"{"alt": "x"}"#, "missing field `src`"),
            (r#"{"src": "/a", "color": "Ink"}"#, "unknown field `color`"),
        ] {
            let message = serde_json::from_str::<Photo>(wrong).unwrap_err().to_string();
            assert!(message.contains(why), "{message}");
        }
    }
}
