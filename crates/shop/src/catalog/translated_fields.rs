//! Names of translated fields in an import file, such as `name@bn`, and reading them from a JSON object.

use platform::Language;
use serde::de::{DeserializeSeed, IntoDeserializer, MapAccess};

/// ISO 639-1.
const LANGUAGE_CODES: &str = "aa ab ae af ak am an ar as av ay az ba be bg bi bm bn bo br bs ca ce ch co cr cs cu \
    cv cy da de dv dz ee el en eo es et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz ia \
    id ie ig ii ik io is it iu ja jv ka kg ki kj kk kl km kn ko kr ks ku kv kw ky la lb lg li ln lo lt lu lv mg \
    mh mi mk ml mn mr ms mt my na nb nd ne ng nl nn no nr nv ny oc oj om or os pa pi pl ps pt qu rm rn ro ru rw \
    sa sc sd se sg si sk sl sm sn so sq sr ss st su sv sw ta te tg th ti tk tl tn to tr ts tt tw ty ug uk ur uz \
    ve vi vo wa wo xh yi yo za zh zu";

/// The field and the language of a name such as `name@bn`, or what is wrong with it.
pub fn parse_name<'n>(
    name: &'n str,
    translatable: &[&str],
) -> Option<Result<(&'n str, Language), String>> {
    let (field, code) = name.split_once('@')?;
    if !translatable.contains(&field) {
        let fields = translatable.join(", ");
        return Some(Err(format!("{field} has no translations; these have: {fields}")));
    }
    // No code of three letters: `name@ban` (Balinese) is rather a mistyped `name@bn`.
    let is_known = LANGUAGE_CODES.split_whitespace().any(|known| known == code);
    let language = code.parse::<Language>().ok().filter(|_| is_known);
    let unknown = || {
        format!(
            "{code:?} is no language code; expected one such as in {field}@bn, of two letters (ISO 639-1)"
        )
    };
    Some(language.map(|language| (field, language)).ok_or_else(unknown))
}

/// The fields of an object without those that `take` reads, for which it returns true.
pub struct OtherFields<A, T> {
    pub map: A,
    pub take: T,
}

impl<'de, A, T> MapAccess<'de> for OtherFields<A, T>
where
    A: MapAccess<'de>,
    T: FnMut(&str, &mut A) -> Result<bool, A::Error>,
{
    type Error = A::Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, A::Error> {
        while let Some(name) = self.map.next_key::<String>()? {
            if !(self.take)(&name, &mut self.map)? {
                return seed.deserialize(name.into_deserializer()).map(Some);
            }
        }
        Ok(None)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, A::Error> {
        self.map.next_value_seed(seed)
    }
}
