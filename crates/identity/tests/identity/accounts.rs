use test_support::on_both;

use super::*;

on_both!(Service:
    sign_up_and_sign_in,
    id_token_has_the_claims_of_the_protocol,
    anonymous_account_gets_a_password,
    profile_is_updated,
    new_password_ends_other_sessions,
    sensitive_changes_need_a_recent_sign_in,
    account_is_deleted,
    refresh_works_until_the_account_is_disabled,
    invalid_sign_ups_get_protocol_errors,
    project_config_is_returned,
);

async fn sign_up_and_sign_in(service: Service) {
    let new = service.sign_up("Rahim@Haat.example").await;
    assert_eq!(text(&new, "kind"), "identitytoolkit#SignupNewUserResponse");
    assert_eq!(text(&new, "email"), "rahim@haat.example");
    assert_eq!(text(&new, "expiresIn"), "3600");
    let credentials = json!({ "email": "rahim@haat.example", "password": PASSWORD });
    let back = service.ok("signInWithPassword", credentials).await;
    assert_eq!(back["localId"], new["localId"]);
    assert_eq!(back["registered"], true);

    let found = service.ok("lookup", json!({ "idToken": back["idToken"] })).await;
    let user = &found["users"][0];
    assert_eq!(user["localId"], new["localId"]);
    assert_eq!(user["emailVerified"], false);
    assert_eq!(text(user, "passwordHash"), "UkVEQUNURUQ=", "nothing of the real one");
    assert_eq!(user["providerUserInfo"][0]["providerId"], "password");
    assert_eq!(text(user, "createdAt"), service.given.clock.now().0.to_string());
}

async fn id_token_has_the_claims_of_the_protocol(service: Service) {
    let new = service.sign_up("rahim@haat.example").await;
    let token = text(&new, "idToken");
    let said = claims(token);
    let seconds = service.given.clock.now().0 / 1000;
    assert_eq!(said["iss"], "https://securetoken.google.com/haat");
    assert_eq!(said["aud"], "haat");
    assert_eq!((&said["sub"], &said["user_id"]), (&new["localId"], &new["localId"]));
    assert_eq!((&said["iat"], &said["auth_time"]), (&json!(seconds), &json!(seconds)));
    assert_eq!(said["exp"], seconds + 3600);
    assert_eq!(said["email_verified"], false);
    assert_eq!(said["firebase"]["sign_in_provider"], "password");
    assert_eq!(said["firebase"]["identities"]["email"], json!(["rahim@haat.example"]));
    let again = service
        .ok("signInWithPassword", json!({ "email": "rahim@haat.example", "password": PASSWORD }))
        .await;
    assert_ne!(text(&again, "idToken"), token, "two of the same second differ");
}

async fn anonymous_account_gets_a_password(service: Service) {
    let anonymous = service.ok("signUp", json!({ "returnSecureToken": true })).await;
    assert_eq!(claims(text(&anonymous, "idToken"))["provider_id"], "anonymous");
    let link =
        json!({ "idToken": anonymous["idToken"], "email": "a@haat.example", "password": PASSWORD });
    let upgraded = service.ok("signUp", link).await;
    assert_eq!(upgraded["localId"], anonymous["localId"]);
    let credentials = json!({ "email": "a@haat.example", "password": PASSWORD });
    let back = service.ok("signInWithPassword", credentials).await;
    assert_eq!(back["localId"], anonymous["localId"]);
}

async fn profile_is_updated(service: Service) {
    let new = service.sign_up("a@haat.example").await;
    let token = &new["idToken"];
    let named =
        json!({ "idToken": token, "displayName": "Rahim", "photo_url": "https://x.example/p.png" });
    let changed = service.ok("update", named).await;
    assert_eq!(
        (text(&changed, "displayName"), text(&changed, "photoUrl")),
        ("Rahim", "https://x.example/p.png")
    );
    assert!(changed.get("idToken").is_none());
    let (_, fresh) = service.refresh(text(&new, "refreshToken")).await;
    assert_eq!(claims(text(&fresh, "id_token"))["name"], "Rahim");
    let bare = json!({ "idToken": token, "deleteAttribute": ["DISPLAY_NAME", "PHOTO_URL"] });
    assert!(service.ok("update", bare).await.get("displayName").is_none());
    let other = json!({ "idToken": token, "email": "b@haat.example" });
    assert!(service.refused("update", other).await.starts_with("OPERATION_NOT_ALLOWED : "));
}

async fn new_password_ends_other_sessions(service: Service) {
    let new = service.sign_up("a@haat.example").await;
    service.advance(2);
    let change = json!({ "idToken": new["idToken"], "password": "Another1!" });
    let changed = service.ok("update", change).await;
    assert_eq!(
        service.refused("lookup", json!({ "idToken": new["idToken"] })).await,
        "TOKEN_EXPIRED"
    );
    service.ok("lookup", json!({ "idToken": changed["idToken"] })).await;
    let (status, why) = service.refresh(text(&new, "refreshToken")).await;
    assert_eq!((status, &why["error"]["message"]), (400, &json!("TOKEN_EXPIRED")));
    assert_eq!(service.refresh(text(&changed, "refreshToken")).await.0, 200);
    let old = json!({ "email": "a@haat.example", "password": PASSWORD });
    assert_eq!(service.refused("signInWithPassword", old).await, "INVALID_LOGIN_CREDENTIALS");
}

async fn sensitive_changes_need_a_recent_sign_in(service: Service) {
    let new = service.sign_up("a@haat.example").await;
    service.advance(6 * 60);
    let (_, fresh) = service.refresh(text(&new, "refreshToken")).await;
    let token = &fresh["id_token"];
    for (verb, body) in [
        ("update", json!({ "idToken": token, "password": "Another1!" })),
        ("delete", json!({ "idToken": token })),
        (
            "sendOobCode",
            json!({ "idToken": token, "requestType": "VERIFY_AND_CHANGE_EMAIL", "newEmail": "b@haat.example" }),
        ),
    ] {
        assert_eq!(service.refused(verb, body).await, "CREDENTIAL_TOO_OLD_LOGIN_AGAIN", "{verb}");
    }
}

async fn account_is_deleted(service: Service) {
    let new = service.sign_up("a@haat.example").await;
    let gone = service.ok("delete", json!({ "idToken": new["idToken"] })).await;
    assert_eq!(text(&gone, "kind"), "identitytoolkit#DeleteAccountResponse");
    assert_eq!(
        service.refused("lookup", json!({ "idToken": new["idToken"] })).await,
        "USER_NOT_FOUND"
    );
    let (_, why) = service.refresh(text(&new, "refreshToken")).await;
    assert_eq!(why["error"]["message"], "USER_NOT_FOUND");
    service.sign_up("a@haat.example").await;
}

async fn refresh_works_until_the_account_is_disabled(service: Service) {
    let new = service.sign_up("a@haat.example").await;
    service.advance(3600);
    assert_eq!(
        service.refused("lookup", json!({ "idToken": new["idToken"] })).await,
        "TOKEN_EXPIRED"
    );
    let (status, fresh) = service.refresh(text(&new, "refreshToken")).await;
    assert_eq!(status, 200, "{fresh}");
    assert_eq!(fresh["user_id"], new["localId"]);
    assert_eq!(fresh["access_token"], fresh["id_token"]);
    let auth_time = &claims(text(&fresh, "id_token"))["auth_time"];
    assert_eq!(*auth_time, claims(text(&new, "idToken"))["auth_time"]);
    service.ok("lookup", json!({ "idToken": fresh["id_token"] })).await;

    service.given.db.query("update accounts set disabled = $1").bind(true).execute().await.unwrap();
    let (_, why) = service.refresh(text(&new, "refreshToken")).await;
    assert_eq!(why["error"]["message"], "USER_DISABLED");
    assert_eq!(
        service.refused("lookup", json!({ "idToken": fresh["id_token"] })).await,
        "USER_DISABLED"
    );
    let credentials = json!({ "email": "a@haat.example", "password": PASSWORD });
    assert_eq!(service.refused("signInWithPassword", credentials).await, "USER_DISABLED");
}

async fn invalid_sign_ups_get_protocol_errors(service: Service) {
    service.sign_up("a@haat.example").await;
    let new = |email: &str, password: &str| json!({ "email": email, "password": password });
    for (body, why) in [
        (new("a@haat.example", PASSWORD), "EMAIL_EXISTS"),
        (new("A@HAAT.example", PASSWORD), "EMAIL_EXISTS"),
        (new("nobody", PASSWORD), "INVALID_EMAIL"),
        (new("", PASSWORD), "MISSING_EMAIL"),
        (new("", ""), "INVALID_EMAIL"),
        (json!({ "email": "" }), "INVALID_EMAIL"),
        (new("b@haat.example", ""), "MISSING_PASSWORD"),
        (new("b@haat.example", "Ab1!"), "WEAK_PASSWORD : Password should be at least 6 characters"),
        (
            new("b@haat.example", "lettersonly"),
            "PASSWORD_DOES_NOT_MEET_REQUIREMENTS : Missing password requirements: [Password must contain an upper \
             case character, Password must contain a numeric character, Password must contain a non-alphanumeric character]",
        ),
        (
            json!({ "email": "b@haat.example", "password": PASSWORD, "localId": "mine" }),
            "UNEXPECTED_PARAMETER : User ID",
        ),
        (
            json!({ "email": "b@haat.example", "password": PASSWORD, "tenantId": "t" }),
            "UNSUPPORTED_TENANT_OPERATION",
        ),
    ] {
        assert_eq!(service.refused("signUp", body.clone()).await, why, "{body}");
    }
}

async fn project_config_is_returned(service: Service) {
    let get = async |path: &str, key: &str| {
        let path = format!("/identitytoolkit.googleapis.com/{path}{key}");
        service.send(Request::get(path).body(Body::empty()).unwrap()).await
    };
    let (_, project) = get("v1/projects", "?key=key").await;
    assert_eq!(project["authorizedDomains"], json!(["localhost", "127.0.0.1", "shop.example"]));
    let (_, policy) = get("v2/passwordPolicy", "?key=key").await;
    assert_eq!(policy["schemaVersion"], 1);
    assert_eq!(policy["customStrengthOptions"]["minPasswordLength"], 8);
    assert_eq!(get("v2/recaptchaConfig", "?key=key").await.0, 200);
    assert_eq!(get("v1/projects", "").await.0, 403);
    assert_eq!(get("v1/projects", "?key=other").await.0, 400);
    assert_eq!(get("v1/nothing", "?key=key").await.0, 404);
    // The emulator's paths do not exist.
    for path in ["/emulator/v1/projects/haat/accounts", "/emulator/v1/projects/haat/oobCodes"] {
        let (status, _) = service.send(Request::get(path).body(Body::empty()).unwrap()).await;
        assert_eq!(StatusCode::from_u16(status).unwrap(), StatusCode::NOT_FOUND);
    }
}
