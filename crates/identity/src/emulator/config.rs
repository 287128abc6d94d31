//! The configuration of an emulated project, as the Admin SDKs read and change it.

use std::sync::Mutex;

use axum::http::StatusCode;
use serde_json::{Map, Value, json};

use super::held;
use crate::protocol::{Answer, Body, generic};

const DUPLICATES: [&str; 2] = ["signIn", "allowDuplicateEmails"];
const PRIVACY: [&str; 2] = ["emailPrivacyConfig", "enableImprovedEmailPrivacy"];

pub struct Config(Mutex<Value>);

impl Default for Config {
    fn default() -> Self {
        Self(Mutex::new(initial()))
    }
}

fn initial() -> Value {
    json!({
        "signIn": { "allowDuplicateEmails": false },
        "emailPrivacyConfig": { "enableImprovedEmailPrivacy": false },
    })
}

impl Config {
    pub fn allows_duplicate_emails(&self) -> bool {
        self.flag(DUPLICATES)
    }

    pub fn keeps_privacy(&self) -> bool {
        self.flag(PRIVACY)
    }

    fn flag(&self, [part, name]: [&str; 2]) -> bool {
        held(&self.0)[part][name] == true
    }

    pub fn whole(&self) -> Value {
        held(&self.0).clone()
    }

    /// The part that an emulator has paths of its own for.
    pub fn short(&self) -> Value {
        json!({
            "signIn": { "allowDuplicateEmails": self.allows_duplicate_emails() },
            "emailPrivacyConfig": { "enableImprovedEmailPrivacy": self.keeps_privacy() },
        })
    }

    pub fn reset(&self) {
        *held(&self.0) = initial();
    }

    /// Changes what `mask` names, in the protocol's way: paths with dots, separated by commas. Without a
    /// mask, what is not given is as it was at the start.
    pub fn update(&self, given: &Map<String, Value>, mask: Option<&str>) -> Answer<()> {
        let body = Body::verbatim(given.clone());
        for [part, name] in [DUPLICATES, PRIVACY] {
            if let Some(part) = body.object(part)? {
                part.flag(name)?;
            }
        }
        let triggers =
            given.get("blockingFunctions").and_then(|functions| functions.get("triggers"));
        if triggers.is_some_and(|triggers| *triggers != json!({})) {
            let why = "Blocking functions are not implemented.";
            return Err(generic(StatusCode::NOT_IMPLEMENTED, "NOT_IMPLEMENTED", why));
        }
        let given = Value::Object(given.clone());
        let mut config = held(&self.0);
        let mask = match mask {
            Some(mask) => mask.to_owned(),
            None => {
                *config = initial();
                leaves(&given).join(",")
            }
        };
        for path in mask.split(',') {
            let steps: Vec<&str> = path.split('.').collect();
            if let Some(value) = steps.iter().try_fold(&given, |at, step| at.get(step)) {
                put(&mut config, &steps, value.clone());
            }
        }
        Ok(())
    }
}

/// The paths of the parts of a configuration, two steps deep at most.
fn leaves(given: &Value) -> Vec<String> {
    let mut paths = Vec::new();
    for (name, part) in given.as_object().into_iter().flatten() {
        match part.as_object() {
            Some(part) => paths.extend(part.keys().map(|inner| format!("{name}.{inner}"))),
            None => paths.push(name.clone()),
        }
    }
    paths
}

/// Puts a value at a path, and objects on the way to it.
fn put(at: &mut Value, steps: &[&str], value: Value) {
    let Some((step, rest)) = steps.split_first() else {
        *at = value;
        return;
    };
    if !at.is_object() {
        *at = json!({});
    }
    put(&mut at[*step], rest, value);
}
