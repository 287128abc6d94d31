//! Social sign-in settings: the credentials of Google, Facebook and another OpenID Connect provider.

pub const GOOGLE: &str = "google.com";
pub const FACEBOOK: &str = "facebook.com";

#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "Social sign-in")]
#[group(id = "social")]
pub struct SocialSettings {
    /// Sign-in with Google: the OAuth client's id; its redirect URI is PUBLIC-URL/auth/callback
    #[arg(long, env = "HAAT_GOOGLE_CLIENT_ID", value_name = "ID")]
    pub google_client_id: Option<String>,
    /// The OAuth client's secret
    #[arg(long, env = "HAAT_GOOGLE_CLIENT_SECRET", value_name = "TEXT", hide_env_values = true)]
    pub google_client_secret: Option<String>,
    /// Google's issuer URL; another one is for tests
    #[arg(
        long,
        env = "HAAT_GOOGLE_ISSUER",
        value_name = "URL",
        default_value = "https://accounts.google.com",
        value_parser = provider_url
    )]
    pub google_issuer: String,
    /// Where to look up for which app an access token was issued
    #[arg(
        long,
        env = "HAAT_GOOGLE_TOKENINFO_URL",
        value_name = "URL",
        default_value = "https://oauth2.googleapis.com/tokeninfo",
        value_parser = provider_url,
        hide = true
    )]
    pub google_tokeninfo_url: String,
    /// Sign-in with Facebook: the app's id; its redirect URI is PUBLIC-URL/auth/callback
    #[arg(long, env = "HAAT_FACEBOOK_APP_ID", value_name = "ID")]
    pub facebook_app_id: Option<String>,
    /// The app's secret
    #[arg(long, env = "HAAT_FACEBOOK_APP_SECRET", value_name = "TEXT", hide_env_values = true)]
    pub facebook_app_secret: Option<String>,
    /// Facebook's sign-in page; another one is for tests
    #[arg(
        long,
        env = "HAAT_FACEBOOK_DIALOG_URL",
        value_name = "URL",
        default_value = "https://www.facebook.com/v21.0/dialog/oauth",
        value_parser = provider_url
    )]
    pub facebook_dialog_url: String,
    /// Facebook's API; another one is for tests
    #[arg(
        long,
        env = "HAAT_FACEBOOK_GRAPH_URL",
        value_name = "URL",
        default_value = "https://graph.facebook.com/v21.0",
        value_parser = provider_url
    )]
    pub facebook_graph_url: String,
    /// Sign-in with another OpenID Connect provider, for SDK clients: the provider id, like oidc.company
    #[arg(long, env = "HAAT_OIDC_ID", value_name = "ID", value_parser = oidc_id)]
    pub oidc_id: Option<String>,
    /// Its display name [default: its id]
    #[arg(long, env = "HAAT_OIDC_NAME", value_name = "NAME")]
    pub oidc_name: Option<String>,
    /// Its issuer URL
    #[arg(long, env = "HAAT_OIDC_ISSUER", value_name = "URL", value_parser = provider_url)]
    pub oidc_issuer: Option<String>,
    /// The client's id at this provider
    #[arg(long, env = "HAAT_OIDC_CLIENT_ID", value_name = "ID")]
    pub oidc_client_id: Option<String>,
    /// The client's secret
    #[arg(long, env = "HAAT_OIDC_CLIENT_SECRET", value_name = "TEXT", hide_env_values = true)]
    pub oidc_client_secret: Option<String>,
}

/// OAuth client credentials. Without `Debug`, because they are secret.
#[derive(Clone, PartialEq, Eq)]
pub struct Credentials {
    pub id: String,
    pub secret: String,
}

#[derive(Clone, PartialEq, Eq)]
pub struct OidcConfig {
    pub id: String,
    pub name: String,
    pub issuer: String,
    pub credentials: Credentials,
}

impl SocialSettings {
    /// Checks that no provider is only partly configured.
    pub fn check(&self) -> Result<(), String> {
        self.google()?;
        self.facebook()?;
        self.oidc()?;
        Ok(())
    }

    pub(super) fn google(&self) -> Result<Option<Credentials>, String> {
        let id = ("google_client_id", &self.google_client_id);
        credentials(id, ("google_client_secret", &self.google_client_secret))
    }

    pub(super) fn facebook(&self) -> Result<Option<Credentials>, String> {
        let id = ("facebook_app_id", &self.facebook_app_id);
        credentials(id, ("facebook_app_secret", &self.facebook_app_secret))
    }

    pub(super) fn oidc(&self) -> Result<Option<OidcConfig>, String> {
        let fields = [
            ("oidc_id", &self.oidc_id),
            ("oidc_issuer", &self.oidc_issuer),
            ("oidc_client_id", &self.oidc_client_id),
            ("oidc_client_secret", &self.oidc_client_secret),
        ];
        let name = self.oidc_name.clone().filter(|name| !name.is_empty());
        let Some([provider, issuer, id, secret]) = all_or_none(fields)? else {
            return match name {
                Some(_) => Err("oidc_name is set, but its provider is not (oidc_id)".into()),
                None => Ok(None),
            };
        };
        let name = name.unwrap_or_else(|| provider.clone());
        Ok(Some(OidcConfig { id: provider, name, issuer, credentials: Credentials { id, secret } }))
    }
}

type NamedSetting<'s> = (&'static str, &'s Option<String>);

fn credentials(id: NamedSetting, secret: NamedSetting) -> Result<Option<Credentials>, String> {
    Ok(all_or_none([id, secret])?.map(|[id, secret]| Credentials { id, secret }))
}

/// Settings that are only valid together. An empty one counts as absent.
fn all_or_none<const N: usize>(fields: [NamedSetting; N]) -> Result<Option<[String; N]>, String> {
    let is_set = |field: &&NamedSetting| field.1.as_ref().is_some_and(|value| !value.is_empty());
    let Some((given, _)) = fields.iter().find(is_set) else { return Ok(None) };
    if let Some((missing, _)) = fields.iter().find(|field| !is_set(field)) {
        return Err(format!("{missing} is missing: {given} requires it"));
    }
    Ok(Some(fields.map(|(_, value)| value.clone().unwrap_or_default())))
}

fn provider_url(text: &str) -> Result<String, String> {
    let rest = text.strip_prefix("https://").or_else(|| text.strip_prefix("http://"));
    match rest {
        Some(rest) if !rest.is_empty() && !rest.contains(['?', '#', '@', ' ']) => {
            Ok(text.trim_end_matches('/').to_owned())
        }
        _ => Err("expected a URL like https://provider.example".into()),
    }
}

fn oidc_id(text: &str) -> Result<String, String> {
    let is_valid = |name: &str| {
        !name.is_empty()
            && name.len() <= 64
            && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-._".contains(&byte))
    };
    match text.strip_prefix("oidc.") {
        Some(name) if is_valid(name) => Ok(text.to_owned()),
        _ => Err("expected a name like oidc.company, of letters, digits, dots and dashes".into()),
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct TestArgs {
        #[command(flatten)]
        social: SocialSettings,
    }

    fn parse(args: &[&str]) -> Result<SocialSettings, String> {
        let args = std::iter::once("haat").chain(args.iter().copied());
        let line = TestArgs::try_parse_from(args).map_err(|why| why.to_string())?;
        line.social.check().map(|()| line.social)
    }

    #[test]
    fn incomplete_configuration_names_what_is_missing() {
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
    fn empty_and_complete_configurations_are_valid() {
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
        let oidc = all.oidc().unwrap().unwrap();
        assert_eq!(
            (oidc.issuer.as_str(), oidc.name.as_str()),
            ("https://id.company.example", "oidc.company")
        );
    }
}
