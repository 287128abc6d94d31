//! Generates TypeScript: types from the OpenAPI description, of which it supports only what our schemas use, and
//! the formats of currencies and the pages' path patterns.

use platform::Currency;
use serde_json::Value;

use crate::route::ROUTES;

pub fn types(description: &utoipa::openapi::OpenApi) -> String {
    let description = serde_json::to_value(description).unwrap_or_default();
    let mut text =
        String::from("// Generated from the Rust structs by `make types`. Do not edit.\n");
    if let Some(schemas) = description["components"]["schemas"].as_object() {
        for (name, schema) in schemas {
            text.push('\n');
            text.push_str(&comment(schema, ""));
            text.push_str(&format!("export type {name} = {};\n", type_of(schema, 0)));
        }
    }
    text.push_str(&currency_formats());
    text.push_str("\n/** Path patterns and their pages. */\n");
    text.push_str("export const ROUTES: [pattern: string, page: Page[\"page\"]][] = [\n");
    for (pattern, page, _) in ROUTES {
        text.push_str(&format!("  [{pattern:?}, {:?}],\n", <&str>::from(page)));
    }
    text.push_str("];\n");
    text
}

/// The currencies that are written otherwise than with two decimals and their code.
fn currency_formats() -> String {
    let mut text = String::from(
        "\n/** Currencies that have not two decimals, or are not written with their code. */\n\
         export const CURRENCY_FORMATS: Record<\n  string,\n  \
         { decimals?: number; symbol?: string; leavesOutZeroDecimals?: boolean }\n> = {\n",
    );
    for currency in Currency::all() {
        let decimals = Some(currency.decimals()).filter(|decimals| *decimals != 2);
        let format = [
            decimals.map(|decimals| format!("decimals: {decimals}")),
            currency.symbol().map(|symbol| format!("symbol: {symbol:?}")),
            currency.leaves_out_zero_decimals().then(|| "leavesOutZeroDecimals: true".into()),
        ];
        let format: Vec<String> = format.into_iter().flatten().collect();
        if !format.is_empty() {
            text.push_str(&format!("  {currency}: {{ {} }},\n", format.join(", ")));
        }
    }
    text + "};\n"
}

fn comment(schema: &Value, indent: &str) -> String {
    let Some(text) = schema["description"].as_str() else { return String::new() };
    format!("{indent}/** {} */\n", text.replace('\n', " "))
}

fn type_of(schema: &Value, depth: usize) -> String {
    if let Some(name) = schema["$ref"].as_str() {
        return name.rsplit('/').next().unwrap_or(name).to_owned();
    }
    if let Some(parts) = schema["allOf"].as_array() {
        return joined(parts, " & ", depth);
    }
    if let Some(parts) = schema["oneOf"].as_array().or_else(|| schema["anyOf"].as_array()) {
        return joined(parts, " | ", depth);
    }
    if let Some(values) = schema["enum"].as_array() {
        return values.iter().map(Value::to_string).collect::<Vec<_>>().join(" | ");
    }
    match &schema["type"] {
        Value::Array(kinds) => {
            let kinds = kinds.iter().filter_map(Value::as_str);
            kinds.map(|kind| type_of_kind(kind, schema, depth)).collect::<Vec<_>>().join(" | ")
        }
        Value::String(kind) => type_of_kind(kind, schema, depth),
        _ => "unknown".into(),
    }
}

fn joined(parts: &[Value], with: &str, depth: usize) -> String {
    parts.iter().map(|part| type_of(part, depth)).collect::<Vec<_>>().join(with)
}

fn type_of_kind(kind: &str, schema: &Value, depth: usize) -> String {
    match kind {
        "integer" | "number" => "number".into(),
        "string" | "boolean" | "null" => kind.into(),
        "array" => match type_of(&schema["items"], depth) {
            item if item.contains(' ') && !item.starts_with('{') => format!("({item})[]"),
            item => format!("{item}[]"),
        },
        "object" => object(schema, depth + 1),
        _ => "unknown".into(),
    }
}

fn object(schema: &Value, depth: usize) -> String {
    let Some(properties) = schema["properties"].as_object() else {
        return match &schema["additionalProperties"] {
            Value::Object(_) => {
                format!("Record<string, {}>", type_of(&schema["additionalProperties"], depth))
            }
            _ => "Record<string, never>".into(),
        };
    };
    let indent = "  ".repeat(depth);
    let mut text = String::from("{\n");
    for (name, property) in properties {
        let required = schema["required"]
            .as_array()
            .is_some_and(|names| names.iter().any(|required| required == name));
        text.push_str(&comment(property, &indent));
        let mark = if required { "" } else { "?" };
        text.push_str(&format!("{indent}{name}{mark}: {};\n", type_of(property, depth)));
    }
    text.push_str(&"  ".repeat(depth - 1));
    text.push('}');
    text
}
