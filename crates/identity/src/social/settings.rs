//! Which providers are set up: all that one needs, or nothing of it.

#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "Social sign-in")]
#[group(id = "social")]
pub struct Settings {
    /// Sign-in with Google: the OAuth client's id; it sends visitors back to PUBLIC-URL/auth/callback
    #[arg(long, env = "HAAT_GOOGLE_CLIENT_ID", value_name = "ID")]
    pub google_client_id: Option<String>,
    #[arg(long, env = "HAAT_GOOGLE_CLIENT_SECRET", value_name = "TEXT", hide_env_values = true)]
    pub google_client_secret: Option<String>,
    #[arg(
        long,
        env = "HAAT_GOOGLE_ISSUER",
        value_name = "URL",
        default_value = "https://accounts.google.com",
        value_parser = address
    )]
    pub google_issuer: String,
    /// Where Google tells for whom an access token was made
    #[arg(
        long,
        env = "HAAT_GOOGLE_TOKENINFO_URL",
        value_name = "URL",
        default_value = "https://oauth2.googleapis.com/tokeninfo",
        value_parser = address,
        hide = true
    )]
    pub google_tokeninfo_url: String,
    /// Sign-in with Facebook: the app's id
    #[arg(long, env = "HAAT_FACEBOOK_APP_ID", value_name = "ID")]
    pub facebook_app_id: Option<String>,
    #[arg(long, env = "HAAT_FACEBOOK_APP_SECRET", value_name = "TEXT", hide_env_values = true)]
    pub facebook_app_secret: Option<String>,
    #[arg(
        long,
        env = "HAAT_FACEBOOK_DIALOG_URL",
        value_name = "URL",
        default_value = "https://www.facebook.com/v21.0/dialog/oauth",
        value_parser = address
    )]
    pub facebook_dialog_url: String,
    #[arg(
        long,
        env = "HAAT_FACEBOOK_GRAPH_URL",
        value_name = "URL",
        default_value = "https://graph.facebook.com/v21.0",
        value_parser = address
    )]
    pub facebook_graph_url: String,
    /// Sign-in with any OpenID Connect provider: how the protocol names it, like oidc.company
    #[arg(long, env = "HAAT_OIDC_ID", value_name = "ID", value_parser = oidc_id)]
    pub oidc_id: Option<String>,
    /// How people name it [default: its id]
    #[arg(long, env = "HAAT_OIDC_NAME", value_name = "NAME")]
    pub oidc_name: Option<String>,
    #[arg(long, env = "HAAT_OIDC_ISSUER", value_name = "URL", value_parser = address)]
    pub oidc_issuer: Option<String>,
    #[arg(long, env = "HAAT_OIDC_CLIENT_ID", value_name = "ID")]
    pub oidc_client_id: Option<String>,
    #[arg(long, env = "HAAT_OIDC_CLIENT_SECRET", value_name = "TEXT", hide_env_values = true)]
    pub oidc_client_secret: Option<String>,
}

/// What a client of a provider is known by there. Without `Debug`: half of it is secret.
#[derive(Clone, PartialEq, Eq)]
pub struct Credentials {
    pub id: String,
    pub secret: String,
}

/// The one provider that can be any.
#[derive(Clone, PartialEq, Eq)]
pub struct Other {
    pub id: String,
    pub name: String,
    pub issuer: String,
    pub credentials: Credentials,
}

impl Settings {
    /// Says what is half set up.
    pub fn check(&self) -> Result<(), String> {
        self.google()?;
        self.facebook()?;
        self.other()?;
        Ok(())
    }

    pub(super) fn google(&self) -> Result<Option<Credentials>, String> {
        let fields = [
            ("google_client_id", &self.google_client_id),
            ("google_client_secret", &self.google_client_secret),
        ];
        Ok(all_or_none(fields)?.map(|[id, secret]| Credentials { id, secret }))
    }

    pub(super) fn facebook(&self) -> Result<Option<Credentials>, String> {
        let fields = [
            ("facebook_app_id", &self.facebook_app_id),
            ("facebook_app_secret", &self.facebook_app_secret),
        ];
        Ok(all_or_none(fields)?.map(|[id, secret]| Credentials { id, secret }))
    }

    pub(super) fn other(&self) -> Result<Option<Other>, String> {
        let fields = [
            ("oidc_id", &self.oidc_id),
            ("oidc_issuer", &self.oidc_issuer),
            ("oidc_client_id", &self.oidc_client_id),
            ("oidc_client_secret", &self.oidc_client_secret),
        ];
        let name = self.oidc_name.clone().filter(|name| !name.is_empty());
        let Some([provider, issuer, id, secret]) = all_or_none(fields)? else {
            return match name {
                Some(_) => Err("oidc_name names a provider that is not set up (oidc_id)".into()),
                None => Ok(None),
            };
        };
        let name = name.unwrap_or_else(|| provider.clone());
        Ok(Some(Other { id: provider, name, issuer, credentials: Credentials { id, secret } }))
    }
}

/// Settings that make sense together only. One that is empty is one that is not there.
fn all_or_none<const N: usize>(
    fields: [(&str, &Option<String>); N],
) -> Result<Option<[String; N]>, String> {
    let there = |(_, value): &(&str, &Option<String>)| {
        value.as_ref().is_some_and(|value| !value.is_empty())
    };
    if !fields.iter().any(there) {
        return Ok(None);
    }
    let given = fields.iter().find(|field| there(field)).map_or("", |(name, _)| name);
    if let Some((missing, _)) = fields.iter().find(|field| !there(field)) {
        return Err(format!("{missing} is missing: {given} is of no use without it"));
    }
    Ok(Some(fields.map(|(_, value)| value.clone().unwrap_or_default())))
}

fn address(text: &str) -> Result<String, String> {
    let rest = text.strip_prefix("https://").or_else(|| text.strip_prefix("http://"));
    match rest {
        Some(rest) if !rest.is_empty() && !rest.contains(['?', '#', '@', ' ']) => {
            Ok(text.trim_end_matches('/').to_owned())
        }
        _ => Err("an address like https://provider.example is wanted".into()),
    }
}

fn oidc_id(text: &str) -> Result<String, String> {
    let plain = |name: &str| {
        !name.is_empty()
            && name.len() <= 64
            && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-._".contains(&byte))
    };
    match text.strip_prefix("oidc.") {
        Some(name) if plain(name) => Ok(text.to_owned()),
        _ => Err("a name like oidc.company is wanted, in letters, digits, dots and dashes".into()),
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        social: Settings,
    }

    fn parse(args: &[&str]) -> Result<Settings, String> {
        let args = std::iter::once("haat").chain(args.iter().copied());
        let line = Line::try_parse_from(args).map_err(|why| why.to_string())?;
        line.social.check().map(|()| line.social)
    }

    #[test]
    fn half_a_configuration_says_what_is_missing() {
        for (args, missing) in [
            (&["--google-client-id=a"][..], "google_client_secret is missing"),
            (&["--google-client-secret=a"], "google_client_id is missing"),
            (&["--google-client-id=a", "--google-client-secret="], "google_client_secret is"),
            (&["--facebook-app-id=a"], "facebook_app_secret is missing"),
            (&["--oidc-id=oidc.a"], "oidc_issuer is missing"),
            (&["--oidc-client-id=a", "--oidc-client-secret=b"], "oidc_id is missing"),
            (&["--oidc-name=Company"], "oidc_id"),
            (&["--oidc-id=company"], "oidc.company"),
            (&["--oidc-id=oidc."], "oidc.company"),
            (&["--oidc-issuer=company.example"], "https://provider.example"),
            (&["--google-issuer=https://a?b"], "https://provider.example"),
        ] {
            let why = parse(args).unwrap_err();
            assert!(why.contains(missing), "{args:?}: {why}");
        }
    }

    #[test]
    fn nothing_and_everything_are_good() {
        let nothing = parse(&["--google-client-id="]).unwrap();
        assert!(nothing.google() == Ok(None) && nothing.facebook() == Ok(None));
        let all = parse(&[
            "--google-client-id=a",
            "--google-client-secret=b",
            "--facebook-app-id=1",
            "--facebook-app-secret=c",
            "--oidc-id=oidc.company",
            "--oidc-issuer=https://id.company.example/",
            "--oidc-client-id=d",
            "--oidc-client-secret=e",
        ])
        .unwrap();
        assert!(all.google().unwrap().is_some() && all.facebook().unwrap().is_some());
        let other = all.other().unwrap().unwrap();
        assert_eq!(
            (other.issuer.as_str(), other.name.as_str()),
            ("https://id.company.example", "oidc.company")
        );
    }
}
