//! The provider's webhook, the instant payment notification (IPN): a posted form with a hash over some of its fields
//! and the store's password. It is only a hint that a payment is to be asked about; MD5 proves little.

use std::collections::BTreeMap;

use aws_lc_rs::constant_time::verify_slices_are_equal;
use aws_lc_rs::digest::{SHA256, digest};
use md5::{Digest, Md5};
use percent_encoding::percent_decode;

use crate::{SecretText, WebhookError, WebhookEvent, WebhookSubject};

/// More fields than the provider sends.
const MAX_FIELDS: usize = 200;
/// Without these, a hash says nothing about the payment.
const SIGNED: [&[u8]; 3] = [b"amount", b"status", b"tran_id"];

type Fields = BTreeMap<Vec<u8>, Vec<u8>>;

pub(super) fn verify(password: &SecretText, body: &[u8]) -> Result<WebhookEvent, WebhookError> {
    let fields = parse(body)?;
    check_hash(password, &fields)?;
    let text = |name: &str| {
        fields
            .get(name.as_bytes())
            .and_then(|value| std::str::from_utf8(value).ok())
            .unwrap_or_default()
    };
    let (tran_id, status, val_id) = (text("tran_id"), text("status"), text("val_id"));
    if !is_id(tran_id) || !is_id(status) {
        return Err(WebhookError::Malformed("tran_id or status is malformed"));
    }
    let id = match is_id(val_id) {
        true => format!("{val_id} {status}"),
        // An attempt that failed has none.
        false => hex(digest(&SHA256, body).as_ref()),
    };
    Ok(WebhookEvent {
        id,
        kind: status.to_owned(),
        subject: WebhookSubject::Payment(tran_id.to_owned()),
    })
}

/// The fields of the form, as bytes, because that is what was hashed.
fn parse(body: &[u8]) -> Result<Fields, WebhookError> {
    let mut fields = Fields::new();
    for pair in body.split(|byte| *byte == b'&').filter(|pair| !pair.is_empty()) {
        let (name, value) = match pair.iter().position(|byte| *byte == b'=') {
            Some(at) => (&pair[..at], &pair[at + 1..]),
            None => (pair, &[][..]),
        };
        // Which of two fields of the same name is hashed, and which one read, must not be a question.
        if fields.insert(decoded(name), decoded(value)).is_some() {
            return Err(WebhookError::Unverified("a field is there twice"));
        }
        if fields.len() > MAX_FIELDS {
            return Err(WebhookError::Unverified("too many fields"));
        }
    }
    Ok(fields)
}

fn decoded(part: &[u8]) -> Vec<u8> {
    let with_spaces: Vec<u8> =
        part.iter().map(|byte| if *byte == b'+' { b' ' } else { *byte }).collect();
    percent_decode(&with_spaces).collect()
}

fn check_hash(password: &SecretText, fields: &Fields) -> Result<(), WebhookError> {
    let field = |name: &[u8]| fields.get(name).map(Vec::as_slice);
    let (Some(sign), Some(names)) = (field(b"verify_sign"), field(b"verify_key")) else {
        return Err(WebhookError::Unverified("verify_sign or verify_key is missing"));
    };
    let names: Vec<&[u8]> = names.split(|byte| *byte == b',').collect();
    if SIGNED.iter().any(|needed| !names.contains(needed) || field(needed).is_none()) {
        return Err(WebhookError::Unverified("verify_key leaves out amount, status or tran_id"));
    }
    let expected = sign_fields(password, fields, &names);
    let sign = sign.to_ascii_lowercase();
    verify_slices_are_equal(expected.as_bytes(), &sign)
        .map_err(|_| WebhookError::Unverified("verify_sign is wrong"))
}

/// The MD5 over the named fields and the MD5 of the password, sorted by name and joined as in a query. A name without a
/// field is left out, as in the provider's sample.
fn sign_fields(password: &SecretText, fields: &Fields, names: &[&[u8]]) -> String {
    let password = hex(Md5::digest(password.expose()).as_slice());
    let named = names.iter().filter_map(|name| Some((*name, fields.get(*name)?.as_slice())));
    let mut signed: BTreeMap<&[u8], &[u8]> = named.collect();
    signed.insert(b"store_passwd", password.as_bytes());
    let pairs: Vec<Vec<u8>> =
        signed.into_iter().map(|(name, value)| [name, b"=", value].concat()).collect();
    hex(Md5::digest(pairs.join(&b'&')).as_slice())
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn is_id(text: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_".contains(&byte);
    (1..=50).contains(&text.len()) && text.bytes().all(is_plain)
}

#[cfg(test)]
mod tests {
    use percent_encoding::{NON_ALPHANUMERIC, percent_encode};

    use super::*;

    /// The example of the provider's Python library, whose store has this password.
    const SAMPLE: [(&str, &str); 27] = [
        ("tran_id", "5E121A0D01F92"),
        ("val_id", "200105225826116qFnATY9sHIwo"),
        ("amount", "10.00"),
        ("card_type", "VISA-Dutch Bangla"),
        ("store_amount", "9.75"),
        ("card_no", "418117XXXXXX6675"),
        ("bank_tran_id", "200105225825DBgSoRGLvczhFjj"),
        ("status", "VALID"),
        ("tran_date", "2020-01-05 22:58:21"),
        ("currency", "BDT"),
        ("card_issuer", "TRUST BANK, LTD."),
        ("card_brand", "VISA"),
        ("card_issuer_country", "Bangladesh"),
        ("card_issuer_country_code", "BD"),
        ("store_id", "test_testemi"),
        ("currency_type", "BDT"),
        ("currency_amount", "10.00"),
        ("currency_rate", "1.0000"),
        ("base_fair", "0.00"),
        ("value_a", ""),
        ("value_b", ""),
        ("value_c", ""),
        ("value_d", ""),
        ("risk_level", "0"),
        ("risk_title", "Safe"),
        ("verify_sign", "d42fab70ae0bcbda5280e7baffef60b0"),
        (
            "verify_key",
            "amount,bank_tran_id,base_fair,card_brand,card_issuer,card_issuer_country,card_issuer_country_code,card_no,\
             card_type,currency,currency_amount,currency_rate,currency_type,risk_level,risk_title,status,store_amount,\
             store_id,tran_date,tran_id,val_id,value_a,value_b,value_c,value_d",
        ),
    ];

    fn password() -> SecretText {
        SecretText::new("test_testemi@ssl")
    }

    fn encode(fields: &[(&str, &str)]) -> Vec<u8> {
        let pairs: Vec<String> = fields
            .iter()
            .map(|(name, value)| {
                format!("{name}={}", percent_encode(value.as_bytes(), NON_ALPHANUMERIC))
            })
            .collect();
        pairs.join("&").into_bytes()
    }

    fn signed(fields: &[(&str, &str)], names: &str) -> Vec<u8> {
        let map: Fields =
            fields.iter().map(|(name, value)| ((*name).into(), (*value).into())).collect();
        let listed: Vec<&[u8]> = names.split(',').map(str::as_bytes).collect();
        let sign = sign_fields(&password(), &map, &listed);
        encode(&[fields, &[("verify_sign", &sign), ("verify_key", names)]].concat())
    }

    fn why(body: &[u8]) -> String {
        verify(&password(), body).unwrap_err().to_string()
    }

    #[test]
    fn the_providers_own_example_is_accepted() {
        let event = verify(&password(), &encode(&SAMPLE)).unwrap();
        assert_eq!(event.id, "200105225826116qFnATY9sHIwo VALID");
        assert_eq!(event.kind, "VALID");
        assert_eq!(event.subject, WebhookSubject::Payment("5E121A0D01F92".into()));
    }

    #[test]
    fn any_change_is_noticed() {
        for changed in 0..SAMPLE.len() - 2 {
            let mut fields = SAMPLE;
            fields[changed].1 = "1";
            assert_eq!(why(&encode(&fields)), "verify_sign is wrong", "{}", fields[changed].0);
        }
        let other = SecretText::new("another");
        assert!(verify(&other, &encode(&SAMPLE)).is_err());
    }

    #[test]
    fn a_hash_that_does_not_cover_the_payment_is_refused() {
        let fields = [("tran_id", "P"), ("status", "VALID"), ("amount", "10.00"), ("val_id", "V")];
        assert!(verify(&password(), &signed(&fields, "tran_id,status,amount")).is_ok());
        assert!(verify(&password(), &signed(&fields, "tran_id,status,amount,error")).is_ok());
        let left_out = "verify_key leaves out amount, status or tran_id";
        for names in ["status,amount", "tran_id,amount", "tran_id,status", "", "val_id"] {
            assert_eq!(why(&signed(&fields, names)), left_out, "{names}");
        }
        // Named, but not there.
        assert_eq!(why(&signed(&fields[1..], "tran_id,status,amount")), left_out);
    }

    #[test]
    fn what_is_missing_or_there_twice_is_refused() {
        let missing = "verify_sign or verify_key is missing";
        assert_eq!(why(b""), missing);
        assert_eq!(why(b"status=VALID&tran_id=P"), missing);
        assert_eq!(why(&encode(&SAMPLE[..26])), missing);
        let twice = [encode(&SAMPLE), b"&tran_id=Q".to_vec()].concat();
        assert_eq!(why(&twice), "a field is there twice");
        let twice = [b"tran%5Fid=Q&".to_vec(), encode(&SAMPLE)].concat();
        assert_eq!(why(&twice), "a field is there twice");
        let many: Vec<String> = (0..=MAX_FIELDS).map(|at| format!("f{at}=")).collect();
        assert_eq!(why(many.join("&").as_bytes()), "too many fields");
    }

    #[test]
    fn ids_are_plain_and_failures_have_some_too() {
        let names = "tran_id,status,amount";
        let failed = [("tran_id", "P"), ("status", "FAILED"), ("amount", "10.00"), ("val_id", "")];
        let event = verify(&password(), &signed(&failed, names)).unwrap();
        assert_eq!((event.id.len(), event.kind.as_str()), (64, "FAILED"));
        let odd = [("tran_id", "P Q"), ("status", "VALID"), ("amount", "10.00")];
        assert!(matches!(
            verify(&password(), &signed(&odd, names)),
            Err(WebhookError::Malformed(_))
        ));
    }

    #[test]
    fn bytes_are_hashed_as_they_came() {
        let fields: Fields =
            [(b"amount".to_vec(), vec![0xff]), (b"tran_id".to_vec(), b"P".to_vec())]
                .into_iter()
                .chain([(b"status".to_vec(), b"VALID".to_vec())])
                .collect();
        let sign = sign_fields(&password(), &fields, &[b"amount", b"status", b"tran_id"]);
        let body = format!(
            "amount=%ff&tran_id=P&status=VALID&verify_key=amount%2Cstatus%2Ctran_id&verify_sign={sign}"
        );
        assert!(verify(&password(), body.as_bytes()).is_ok());
    }
}
