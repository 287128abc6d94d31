//! Parses the password hashes of an import, with the field names of Google's Admin SDKs.

use argon2::password_hash::phc::PasswordHash;
use serde_json::{Map, Value};

use super::{
    Argon2Variant, Base64, Digest, ErrorCode, HashFunction, HashResult, ImportedHash, MAX_LEN,
    decode,
};

/// Parses the hash of one user; `body` has the parameters that all users share.
pub fn parse(body: &Map<String, Value>, user: &Map<String, Value>) -> HashResult {
    let algorithm = text(body, "hashAlgorithm").ok_or("MISSING_HASH_ALGORITHM")?;
    let digest = match algorithm {
        "HMAC_SHA1" | "PBKDF_SHA1" | "SHA1" => Digest::Sha1,
        "HMAC_SHA512" | "SHA512" => Digest::Sha512,
        _ => Digest::Sha256,
    };
    let hash = || bytes(user, "passwordHash", "INVALID_PASSWORD_HASH");
    let number = |name, error| number(body, name).ok_or(error);
    let key = || match bytes(body, "signerKey", "INVALID_HASH_KEY")? {
        key if key.0.is_empty() => Err("INVALID_HASH_KEY"),
        key => Ok(key),
    };
    let rounds = || number("rounds", "INVALID_HASH_ROUNDS");
    // The Admin SDKs do not send the order for HMAC, where the password comes first.
    let password_first = || match text(body, "passwordHashOrder") {
        None | Some("UNSPECIFIED_ORDER") => Ok(algorithm.starts_with("HMAC")),
        Some("SALT_AND_PASSWORD") => Ok(false),
        Some("PASSWORD_AND_SALT") => Ok(true),
        Some(_) => Err("INVALID_PASSWORD_HASH_ORDER"),
    };
    // For every algorithm, the separator is appended to the salt.
    let salt = || {
        let mut salt = bytes(user, "salt", "INVALID_PASSWORD_SALT")?;
        salt.0.extend(bytes(body, "saltSeparator", "INVALID_HASH_SALT_SEPARATOR")?.0);
        Ok::<Base64, ErrorCode>(salt)
    };
    let function = match algorithm {
        "SCRYPT" => HashFunction::FirebaseScrypt {
            signer_key: key()?,
            rounds: rounds()?,
            memory_cost: number("memoryCost", "INVALID_HASH_MEMORY_COST")?,
        },
        "STANDARD_SCRYPT" => {
            let length = number("dkLen", "INVALID_HASH_DERIVED_KEY_LENGTH")?;
            if hash()?.0.len() != length as usize {
                return Err("INVALID_HASH_DERIVED_KEY_LENGTH");
            }
            HashFunction::StandardScrypt {
                cost: number("cpuMemCost", "")
                    .or_else(|_| number("memoryCost", "INVALID_HASH_MEMORY_COST"))?,
                block_size: number("blockSize", "INVALID_HASH_BLOCK_SIZE")?,
                parallelization: number("parallelization", "INVALID_HASH_PARALLELIZATION")?,
            }
        }
        "BCRYPT" => {
            let hash = phc_hash(user)?.ok_or("INVALID_PASSWORD_HASH")?;
            let (salt, hash) = (Base64::default(), Base64(hash.into_bytes()));
            return checked(ImportedHash { function: HashFunction::Bcrypt, salt, hash });
        }
        "ARGON2" => match phc_hash(user)? {
            Some(text) => return checked(argon2_phc(&text).ok_or("INVALID_PASSWORD_HASH")?),
            None => argon2_parameters(body, hash()?.0.len())?,
        },
        "PBKDF_SHA1" | "PBKDF2_SHA256" => HashFunction::Pbkdf2 { digest, rounds: rounds()? },
        "HMAC_SHA1" | "HMAC_SHA256" | "HMAC_SHA512" => {
            HashFunction::Hmac { digest, key: key()?, password_first: password_first()? }
        }
        // More than one round is not specified, and a wrong guess would lock users out.
        "SHA1" | "SHA256" | "SHA512" if rounds()? == 1 => {
            HashFunction::Plain { digest, password_first: password_first()? }
        }
        "SHA1" | "SHA256" | "SHA512" => return Err("INVALID_HASH_ROUNDS"),
        // Includes MD5 and HMAC_MD5, which are not supported.
        _ => return Err("INVALID_HASH_ALGORITHM"),
    };
    checked(ImportedHash { function, salt: salt()?, hash: hash()? })
}

fn checked(imported: ImportedHash) -> HashResult {
    imported.check_limits().map(|()| imported)
}

/// A hash as a string (`$2b$…`, `$argon2id$…`), plain or in base64.
fn phc_hash(user: &Map<String, Value>) -> HashResult<Option<String>> {
    const ERROR: ErrorCode = "INVALID_PASSWORD_HASH";
    let given = text(user, "passwordHash").ok_or(ERROR)?;
    if given.starts_with('$') {
        return Ok(Some(given.to_owned()));
    }
    let hash = bytes(user, "passwordHash", ERROR)?;
    Ok(String::from_utf8(hash.0).ok().filter(|hash| hash.starts_with('$')))
}

fn argon2_phc(text: &str) -> Option<ImportedHash> {
    let parsed = PasswordHash::new(text).ok()?;
    let params = argon2::Params::try_from(&parsed).ok()?;
    let function = HashFunction::Argon2 {
        variant: match parsed.algorithm.as_str() {
            "argon2d" => Argon2Variant::D,
            "argon2i" => Argon2Variant::I,
            "argon2id" => Argon2Variant::Id,
            _ => return None,
        },
        memory_kib: params.m_cost(),
        iterations: params.t_cost(),
        parallelism: params.p_cost(),
        associated_data: Base64(params.data().to_vec()),
        // Old strings have no version.
        old_version: match parsed.version {
            None | Some(0x10) => true,
            Some(0x13) => false,
            Some(_) => return None,
        },
    };
    let salt = Base64(parsed.salt?.as_ref().to_vec());
    Some(ImportedHash { function, salt, hash: Base64(parsed.hash?.as_bytes().to_vec()) })
}

fn argon2_parameters(body: &Map<String, Value>, length: usize) -> HashResult<HashFunction> {
    let Some(Value::Object(given)) = body.get("argon2Parameters") else {
        return Err("INVALID_ARGON2_PARAMETERS");
    };
    let number = |name, error| number(given, name).ok_or(error);
    if number("hashLengthBytes", "INVALID_HASH_DERIVED_KEY_LENGTH")? as usize != length {
        return Err("INVALID_HASH_DERIVED_KEY_LENGTH");
    }
    Ok(HashFunction::Argon2 {
        variant: match text(given, "hashType") {
            Some("ARGON2_D") => Argon2Variant::D,
            Some("ARGON2_I") => Argon2Variant::I,
            Some("ARGON2_ID") => Argon2Variant::Id,
            _ => return Err("INVALID_ARGON2_HASH_TYPE"),
        },
        memory_kib: number("memoryCostKib", "INVALID_HASH_MEMORY_COST")?,
        iterations: number("iterations", "INVALID_HASH_ROUNDS")?,
        parallelism: number("parallelism", "INVALID_HASH_PARALLELIZATION")?,
        associated_data: bytes(given, "associatedData", "INVALID_ARGON2_ASSOCIATED_DATA")?,
        old_version: match text(given, "version") {
            Some("VERSION_10") => true,
            None | Some("VERSION_UNSPECIFIED" | "VERSION_13") => false,
            Some(_) => return Err("INVALID_ARGON2_VERSION"),
        },
    })
}

fn text<'f>(fields: &'f Map<String, Value>, name: &str) -> Option<&'f str> {
    fields.get(name)?.as_str().filter(|text| !text.is_empty())
}

/// A number, or a string of digits: the protocol has both.
fn number(fields: &Map<String, Value>, name: &str) -> Option<u32> {
    match fields.get(name)? {
        Value::Number(number) => number.as_u64()?.try_into().ok(),
        Value::String(digits) => digits.parse().ok(),
        _ => None,
    }
}

/// Empty if the field is absent.
fn bytes(fields: &Map<String, Value>, name: &str, error: ErrorCode) -> HashResult<Base64> {
    match fields.get(name) {
        None | Some(Value::Null) => Ok(Base64::default()),
        Some(Value::String(text)) if text.len() <= 2 * MAX_LEN => decode(text).ok_or(error),
        Some(_) => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use base64::Engine;
    use proptest::prelude::*;
    use serde_json::json;

    fn map(value: Value) -> Map<String, Value> {
        value.as_object().unwrap().clone()
    }

    fn hex(text: &str) -> Vec<u8> {
        let digits: Vec<u8> = text.chars().map(|digit| digit.to_digit(16).unwrap() as u8).collect();
        digits.chunks(2).map(|pair| pair[0] << 4 | pair[1]).collect()
    }

    fn base64(bytes: impl AsRef<[u8]>) -> String {
        base64::engine::general_purpose::STANDARD.encode(bytes)
    }

    fn user(salt: &str, hash: &str) -> Value {
        json!({ "salt": base64(salt), "passwordHash": base64(hex(hash)) })
    }

    /// Parses a hash, stores and loads it, and verifies the password and similar ones.
    #[track_caller]
    fn accepts(body: &Value, user: &Value, password: &str) {
        let parsed = parse(&map(body.clone()), &map(user.clone())).unwrap();
        let text = serde_json::to_string(&parsed).unwrap();
        assert!(text.starts_with('{'));
        let stored = ImportedHash::from_json(&text).unwrap();
        assert!(stored == parsed);
        assert!(stored.verify(password), "{body} {user}");
        assert!(!stored.verify(&format!("{password}x")), "{body} {user}");
        assert!(!stored.verify(""), "{body} {user}");
    }

    #[track_caller]
    fn rejects(body: Value, user: Value, why: &str) {
        assert_eq!(parse(&map(body), &map(user)).unwrap_err(), why);
    }

    fn firebase() -> (Value, Value) {
        let body = json!({
            "hashAlgorithm": "SCRYPT", "rounds": 8, "memoryCost": 14, "saltSeparator": "Bw==",
            "signerKey": "jxspr8Ki0RYycVU8zykbdLGjFQ3McFUH0uiiTvC8pVMXAn210wjLNmdZJzxUECKbm0QsEmYUSDzZvpjeJ9WmXA==",
        });
        let user = json!({
            "salt": "42xEC+ixf3L2lw==",
            "passwordHash": "lSrfV15cpx95/sZS2W9c9Kp6i/LVgQNDNC/qzrCnh1SAyZvqmZqAjTdn3aoItz+VHjoZilo78198JAdRuid5lQ==",
        });
        (body, user)
    }

    #[test]
    fn firebase_scrypt() {
        let (mut body, mut user) = firebase();
        accepts(&body, &user, "user1password");
        // As firebase-tools writes it: URL-safe, without padding, numbers as strings.
        for (fields, name) in [(&mut user, "salt"), (&mut body, "signerKey")] {
            let safe = fields[name].as_str().unwrap().replace('+', "-").replace('/', "_");
            fields[name] = safe.trim_end_matches('=').into();
        }
        body["rounds"] = "8".into();
        accepts(&body, &user, "user1password");
    }

    #[test]
    fn scrypt_vectors_of_rfc_7914() {
        let body = |cost: u32, parallelization: u32| {
            json!({ "hashAlgorithm": "STANDARD_SCRYPT", "cpuMemCost": cost, "blockSize": 8,
                    "parallelization": parallelization, "dkLen": 64 })
        };
        let first = "fdbabe1c9d3472007856e7190d01e9fe7c6ad7cbc8237830e77376634b373162\
                     2eaf30d92e22a3886ff109279d9830dac727afb94a83ee6d8360cbdfa2cc0640";
        accepts(&body(1024, 16), &user("NaCl", first), "password");
        let second = "7023bdcb3afd7348461c06cd81fd38ebfda8fbba904f8e3ea9b543f6545da1f2\
                      d5432955613f0fcf62d49705242a9af9e61e85dc0d651e40dfcf017b45575887";
        accepts(&body(16384, 1), &user("SodiumChloride", second), "pleaseletmein");
    }

    #[test]
    fn bcrypt_vectors_of_openwall() {
        for (hash, password) in [
            ("$2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW", "U*U"),
            ("$2a$05$CCCCCCCCCCCCCCCCCCCCC.VGOzA784oUp/Z0DY336zx7pLYAy0lwK", "U*U*"),
            ("$2y$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW", "U*U"),
        ] {
            for hash in [hash.to_owned(), base64(hash)] {
                let body = json!({ "hashAlgorithm": "BCRYPT" });
                accepts(&body, &json!({ "passwordHash": hash }), password);
            }
        }
    }

    #[test]
    fn bcrypt_hash_that_was_stored_as_text_is_verified() {
        let hash = "$2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW";
        let stored = json!({ "kind": "bcrypt", "hash": hash }).to_string();
        assert!(ImportedHash::from_json(&stored).unwrap().verify("U*U"));
    }

    #[test]
    fn argon2_vectors_of_the_reference() {
        let body = |kind: &str, version: &str, lanes: u32| {
            json!({ "hashAlgorithm": "ARGON2", "argon2Parameters": {
                "hashType": kind, "version": version, "hashLengthBytes": 32, "iterations": 2,
                "memoryCostKib": 256, "parallelism": lanes,
            }})
        };
        for (kind, version, lanes, hash) in [
            (
                "ARGON2_I",
                "VERSION_10",
                1,
                "fd4dd83d762c49bdeaf57c47bdcd0c2f1babf863fdeb490df63ede9975fccf06",
            ),
            (
                "ARGON2_I",
                "VERSION_13",
                1,
                "89e9029f4637b295beb027056a7336c414fadd43f6b208645281cb214a56452f",
            ),
            (
                "ARGON2_ID",
                "VERSION_13",
                1,
                "9dfeb910e80bad0311fee20f9c0e2b12c17987b4cac90c2ef54d5b3021c68bfe",
            ),
            (
                "ARGON2_ID",
                "VERSION_13",
                2,
                "6d093c501fd5999645e0ea3bf620d7b8be7fd2db59c20d9fff9539da2bf57037",
            ),
        ] {
            accepts(&body(kind, version, lanes), &user("somesalt", hash), "password");
        }
        for text in [
            "$argon2i$m=256,t=2,p=1$c29tZXNhbHQ$/U3YPXYsSb3q9XxHvc0MLxur+GP960kN9j7emXX8zwY",
            "$argon2i$v=19$m=256,t=2,p=1$c29tZXNhbHQ$iekCn0Y3spW+sCcFanM2xBT63UP2sghkUoHLIUpWRS8",
            "$argon2id$v=19$m=256,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4",
        ] {
            let body = json!({ "hashAlgorithm": "ARGON2" });
            accepts(&body, &json!({ "passwordHash": base64(text) }), "password");
            accepts(&body, &json!({ "passwordHash": text }), "password");
        }
    }

    #[test]
    fn pbkdf2_vectors_of_rfc_6070_and_rfc_7914() {
        let body = |name: &str, rounds: u32| json!({ "hashAlgorithm": name, "rounds": rounds });
        let sha1 = "4b007901b765489abead49d926f721d065a429c1";
        accepts(&body("PBKDF_SHA1", 4096), &user("salt", sha1), "password");
        let sha256 = "55ac046e56e3089fec1691c22544b605f94185216dde0465e68b9d57c20dacbc\
                      49ca9cccf179b645991664b39d77ef317c71b845b1e30bd509112041d3a19783";
        accepts(&body("PBKDF2_SHA256", 1), &user("salt", sha256), "passwd");
    }

    #[test]
    fn hmac_vectors_of_rfc_2202_and_rfc_4231() {
        for (name, hash) in [
            ("HMAC_SHA1", "effcdf6ae5eb2fa2d27416d5f184df9c259a7c79"),
            ("HMAC_SHA256", "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"),
            (
                "HMAC_SHA512",
                "164b7a7bfcf819e2e395fbe73b56e0a387bd64222e831fd610270cd7ea250554\
                 9758bf75c05a994a6d034f65f8f0e6fdcaeab1a34d4a6b4b636e070a38bce737",
            ),
        ] {
            let mut body = json!({ "hashAlgorithm": name, "signerKey": base64("Jefe") });
            accepts(&body, &user("want for nothing?", hash), "what do ya ");
            body["passwordHashOrder"] = "PASSWORD_AND_SALT".into();
            accepts(&body, &user("want for nothing?", hash), "what do ya ");
            body["passwordHashOrder"] = "SALT_AND_PASSWORD".into();
            accepts(&body, &user("what do ya ", hash), "want for nothing?");
        }
    }

    #[test]
    fn plain_digests() {
        // The "abc" of FIPS 180, and a hash imported to Firebase with the password first.
        let body = json!({ "hashAlgorithm": "SHA256", "rounds": 1 });
        let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        accepts(&body, &user("a", abc), "bc");
        let body = json!({ "hashAlgorithm": "SHA1", "rounds": 1, "passwordHashOrder": "PASSWORD_AND_SALT" });
        let user =
            json!({ "passwordHash": "kfjS+dtoePcY0vEKx1w5ol2ZJ88=", "salt": base64("XiwiihQ=") });
        accepts(&body, &user, "Password1");
    }

    #[test]
    fn unknown_algorithms_are_rejected() {
        let (body, user) = firebase();
        for name in ["MD5", "HMAC_MD5", "ROT13", "scrypt"] {
            let mut body = body.clone();
            body["hashAlgorithm"] = name.into();
            rejects(body, user.clone(), "INVALID_HASH_ALGORITHM");
        }
        rejects(json!({}), user, "MISSING_HASH_ALGORITHM");
    }

    #[test]
    fn excessive_parameters_are_rejected() {
        let with = |(body, user): &(Value, Value), name: &str, value: Value, why: &str| {
            let mut body = body.clone();
            body[name] = value;
            rejects(body, user.clone(), why);
        };
        let firebase = firebase();
        for (name, value, why) in [
            ("rounds", json!(9), "INVALID_HASH_ROUNDS"),
            ("rounds", json!(0), "INVALID_HASH_ROUNDS"),
            ("rounds", json!("many"), "INVALID_HASH_ROUNDS"),
            ("rounds", Value::Null, "INVALID_HASH_ROUNDS"),
            ("memoryCost", json!(15), "INVALID_HASH_MEMORY_COST"),
            ("memoryCost", json!(1u64 << 40), "INVALID_HASH_MEMORY_COST"),
            ("signerKey", json!(""), "INVALID_HASH_KEY"),
            ("signerKey", json!("not base64!"), "INVALID_HASH_KEY"),
            ("signerKey", json!("c2hvcnQ="), "INVALID_PASSWORD_HASH"),
            ("saltSeparator", json!(7), "INVALID_HASH_SALT_SEPARATOR"),
        ] {
            with(&firebase, name, value, why);
        }
        let standard = (
            json!({ "hashAlgorithm": "STANDARD_SCRYPT", "cpuMemCost": 1024, "blockSize": 8,
                    "parallelization": 1, "dkLen": 64 }),
            user("salt", &"00".repeat(64)),
        );
        for (name, value, why) in [
            ("cpuMemCost", json!(1 << 20), "INVALID_HASH_MEMORY_COST"),
            ("cpuMemCost", json!(1000), "INVALID_HASH_MEMORY_COST"),
            ("cpuMemCost", json!(1), "INVALID_HASH_MEMORY_COST"),
            ("blockSize", json!(u32::MAX), "INVALID_HASH_MEMORY_COST"),
            ("blockSize", json!(0), "INVALID_HASH_BLOCK_SIZE"),
            ("parallelization", json!(0), "INVALID_HASH_PARALLELIZATION"),
            ("parallelization", json!(u32::MAX), "INVALID_HASH_PARALLELIZATION"),
            ("dkLen", json!(32), "INVALID_HASH_DERIVED_KEY_LENGTH"),
        ] {
            with(&standard, name, value, why);
        }
        for (hash, why) in [
            ("$2a$15$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW", "INVALID_HASH_ROUNDS"),
            ("$2a$03$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW", "INVALID_HASH_ROUNDS"),
            ("$2a$05$short", "INVALID_PASSWORD_HASH"),
            ("hello", "INVALID_PASSWORD_HASH"),
            ("", "INVALID_PASSWORD_HASH"),
        ] {
            rejects(json!({ "hashAlgorithm": "BCRYPT" }), json!({ "passwordHash": hash }), why);
        }
        for (params, why) in [
            ("m=65537,t=1,p=1", "INVALID_HASH_MEMORY_COST"),
            ("m=65536,t=9,p=1", "INVALID_HASH_ROUNDS"),
            ("m=4096,t=1,p=17", "INVALID_HASH_PARALLELIZATION"),
            ("m=4096,t=0,p=1", "INVALID_PASSWORD_HASH"),
        ] {
            let hash = format!(
                "$argon2id$v=19${params}$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4"
            );
            rejects(json!({ "hashAlgorithm": "ARGON2" }), json!({ "passwordHash": hash }), why);
        }
        let pbkdf2 = (
            json!({ "hashAlgorithm": "PBKDF2_SHA256", "rounds": 1000 }),
            user("salt", &"00".repeat(32)),
        );
        with(&pbkdf2, "rounds", json!(1_200_001), "INVALID_HASH_ROUNDS");
        let long = (pbkdf2.0.clone(), user("salt", &"00".repeat(1024)));
        with(&long, "rounds", json!(40_000), "INVALID_HASH_ROUNDS");
        with(&pbkdf2, "rounds", json!(0), "INVALID_HASH_ROUNDS");
        // Too short to be safe.
        for hash in ["", "00", &"00".repeat(15)] {
            rejects(pbkdf2.0.clone(), user("salt", hash), "INVALID_PASSWORD_HASH");
        }
        rejects(pbkdf2.0.clone(), json!({}), "INVALID_PASSWORD_HASH");
        let plain = json!({ "hashAlgorithm": "SHA256", "rounds": 2 });
        rejects(plain, user("salt", &"00".repeat(32)), "INVALID_HASH_ROUNDS");
    }

    #[test]
    fn own_hashes_are_not_imported_hashes_and_debug_shows_nothing() {
        assert!(
            ImportedHash::from_json("$argon2id$v=19$m=19456,t=2,p=1$c29tZXNhbHQ$aaaa").is_none()
        );
        let (body, user) = firebase();
        assert_eq!(format!("{:?}", parse(&map(body), &map(user)).unwrap()), "ImportedHash(…)");
    }

    /// Values of all types, including valid and cheap ones.
    fn any_value() -> impl Strategy<Value = Value> {
        prop_oneof![
            any::<String>().prop_map(Value::from),
            prop::collection::vec(any::<u8>(), 0..80).prop_map(|bytes| base64(bytes).into()),
            Just(Value::from(base64([7; 32]))),
            (0..5u32).prop_map(Value::from),
            any::<i64>().prop_map(Value::from),
            any::<f64>().prop_map(Value::from),
            Just(Value::Null),
            Just(json!({ "hashType": "ARGON2_D", "hashLengthBytes": 32, "iterations": 1,
                         "memoryCostKib": 8, "parallelism": 1 })),
            prop::sample::select(vec![
                "SCRYPT",
                "STANDARD_SCRYPT",
                "BCRYPT",
                "ARGON2",
                "PBKDF_SHA1",
                "PBKDF2_SHA256",
                "HMAC_SHA1",
                "SHA512",
                "$2b$04$",
                "$argon2id$v=19$m=8,t=1,p=1$c29tZXNhbHQ$",
            ])
            .prop_map(Value::from),
        ]
    }

    proptest! {
        #[test]
        fn arbitrary_input_never_panics_or_matches(
            algorithm in prop::sample::select(vec![
                "SCRYPT", "STANDARD_SCRYPT", "BCRYPT", "ARGON2", "PBKDF_SHA1", "PBKDF2_SHA256",
                "HMAC_SHA1", "HMAC_SHA256", "HMAC_SHA512", "SHA1", "SHA256", "SHA512",
            ]),
            values in prop::collection::vec(any_value(), 12),
            password: String,
        ) {
            let names = [
                "signerKey", "saltSeparator", "rounds", "memoryCost", "cpuMemCost", "blockSize",
                "parallelization", "dkLen", "passwordHashOrder", "argon2Parameters",
            ];
            let mut body: Map<String, Value> =
                names.iter().zip(&values).map(|(name, value)| ((*name).into(), value.clone())).collect();
            body.insert("hashAlgorithm".into(), algorithm.into());
            let user = map(json!({ "passwordHash": values[10], "salt": values[11] }));
            if let Ok(imported) = parse(&body, &user) {
                prop_assert!(!imported.verify(&password));
                prop_assert!(ImportedHash::from_json(&serde_json::to_string(&imported).unwrap()) == Some(imported));
            }
        }

        #[test]
        fn arbitrary_text_is_not_an_imported_hash(text: String) {
            prop_assert!(ImportedHash::from_json(&text).is_none());
        }
    }
}
