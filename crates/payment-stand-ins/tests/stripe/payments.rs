//! Payments on the stand-in's page: what the shopper does, and what the client learns of it.

use payment_providers::{FactKind, GatewayError, OpenRequest, SessionStatus, WebhookSubject};
use payment_stand_ins::BookEntry;
use platform::{Money, Timestamp};
use test_support::eventually;

use super::{PAYMENT, PAYS, RETURN_URL, Shop, gateway, seconds, session, usd};

#[tokio::test]
async fn a_card_pays() {
    let shop = Shop::start().await;
    let opened = shop.open(PAYMENT, usd(1999)).await;
    assert!(opened.reference.starts_with("cs_test_"));
    assert_eq!(shop.gateway.page_origins(), std::slice::from_ref(&shop.origin));
    assert!(opened.redirect.starts_with(&shop.origin), "{}", opened.redirect);
    let before = shop.fetch(&opened, usd(1999)).await;
    assert_eq!((before.status, before.facts.len()), (SessionStatus::Open, 0));
    let page = shop.get(&opened.redirect).await;
    let policy = page.headers["content-security-policy"].to_str().unwrap().to_owned();
    assert!(policy.contains("form-action 'self' http://127.0.0.1:9;"), "{policy}");
    let page = String::from_utf8(page.body.to_vec()).unwrap();
    for text in [
        "Test payment: no real money moves",
        "$19.99",
        "Order H-1001 &amp; more",
        "<html lang=\"en\">",
    ] {
        assert!(page.contains(text), "{text}");
    }
    assert!(!page.contains("<script"));

    assert_eq!(shop.press(&opened.redirect, &[("card", PAYS)]).await, RETURN_URL);

    let after = shop.fetch(&opened, usd(1999)).await;
    assert_eq!(after.status, SessionStatus::Closed);
    let [captured] = after.facts.as_slice() else { panic!("{after:?}") };
    assert_eq!((captured.kind, captured.amount), (FactKind::Captured, usd(1999)));
    assert!(captured.reference.starts_with("pi_"));
    let book = BookEntry {
        provider: "stripe",
        payment: PAYMENT.into(),
        currency: "USD".into(),
        captured: 1999,
        refunded: 0,
        authorised: 0,
    };
    assert_eq!(shop.book(PAYMENT), book);
    for kind in ["checkout.session.completed", "payment_intent.succeeded", "charge.succeeded"] {
        assert_eq!(
            shop.wait_for_webhook(kind).await.subject,
            WebhookSubject::Payment(PAYMENT.into())
        );
    }
    // A second press of the button, or another tab, pays nothing more.
    assert_eq!(shop.press(&opened.redirect, &[("card", PAYS)]).await, RETURN_URL);
    assert_eq!(shop.book(PAYMENT).captured, 1999);
    assert!(shop.page(&opened.redirect).await.contains("complete"));
    shop.gateway.complete(session(&opened, usd(1999))).await.unwrap();
}

#[tokio::test]
async fn google_pay_pays() {
    let shop = Shop::start().await;
    let opened = shop.open(PAYMENT, usd(500)).await;
    assert_eq!(shop.press(&opened.redirect, &[("wallet", "google_pay")]).await, RETURN_URL);
    assert_eq!(shop.facts(&opened, usd(500)).await, ["Captured 500"]);
}

#[tokio::test]
async fn declined_cards_leave_the_session_open() {
    let shop = Shop::start().await;
    let opened = shop.open(PAYMENT, usd(1999)).await;
    for (number, message) in [
        ("4000000000000002", "Your card was declined."),
        ("4000000000009995", "insufficient funds"),
        ("4000000000000069", "expired"),
        ("4000000000000127", "security code"),
    ] {
        assert_eq!(shop.press(&opened.redirect, &[("card", number)]).await, opened.redirect);
        assert!(shop.page(&opened.redirect).await.contains(message), "{message}");
    }
    let failed = [
        "Failed 1999 card_declined",
        "Failed 1999 insufficient_funds",
        "Failed 1999 expired_card",
        "Failed 1999 incorrect_cvc",
    ];
    let open = shop.fetch(&opened, usd(1999)).await;
    assert_eq!(
        (open.status, super::shown(&open).as_slice()),
        (SessionStatus::Open, failed.map(String::from).as_slice())
    );
    shop.wait_for_webhook("payment_intent.payment_failed").await;
    shop.press(&opened.redirect, &[("card", PAYS)]).await;
    let paid = shop.facts(&opened, usd(1999)).await;
    assert_eq!(paid, [failed.as_slice(), &["Captured 1999"]].concat());
}

#[tokio::test]
async fn a_card_can_ask_for_authentication() {
    let shop = Shop::start().await;
    let opened = shop.open(PAYMENT, usd(1999)).await;
    let bank = format!("{}/authenticate", opened.redirect);
    for (number, answer, fact) in [
        ("4000002500003155", "fail", "Failed 1999 payment_intent_authentication_failure"),
        ("4000008400001629", "complete", "Failed 1999 card_declined"),
    ] {
        assert_eq!(shop.press(&opened.redirect, &[("card", number)]).await, bank);
        assert!(shop.page(&opened.redirect).await.contains("Your bank"));
        assert_eq!(shop.fetch(&opened, usd(1999)).await.status, SessionStatus::Open);
        assert_eq!(shop.press(&bank, &[("authentication", answer)]).await, opened.redirect);
        assert_eq!(shop.facts(&opened, usd(1999)).await.last().unwrap(), fact);
    }
    shop.press(&opened.redirect, &[("card", "4000002500003155")]).await;
    assert_eq!(shop.press(&bank, &[("authentication", "complete")]).await, RETURN_URL);
    assert_eq!(shop.facts(&opened, usd(1999)).await.last().unwrap(), "Captured 1999");
}

#[tokio::test]
async fn cards_can_be_typed() {
    let shop = Shop::start().await;
    let opened = shop.open(PAYMENT, usd(1999)).await;
    let typed = |number, expiry| {
        [("number", number), ("expiry", expiry), ("cvc", "123"), ("name", "Rahim <Uddin>")]
    };
    for (number, expiry, message) in [
        ("4242 4242 4242 4241", "12 / 34", "card number is incorrect"),
        ("4242 4242 4242 4242", "10 / 26", "in the past"),
        ("5555 5555 5555 4444", "12 / 34", "used a non test card"),
    ] {
        let answer = shop.post(&opened.redirect, &typed(number, expiry)).await;
        let page = String::from_utf8(answer.body.to_vec()).unwrap();
        assert!(page.contains(message), "{message}");
        assert!(
            !page.contains("5555") && !page.contains("Uddin"),
            "what was typed is not shown again"
        );
    }
    assert!(shop.facts(&opened, usd(1999)).await.is_empty());
    assert_eq!(
        shop.press(&opened.redirect, &typed("4242 4242 4242 4242", "12/34")).await,
        RETURN_URL
    );
}

#[tokio::test]
async fn leaving_the_page_pays_nothing() {
    let shop = Shop::start().await;
    let opened = shop.open(PAYMENT, usd(1999)).await;
    let cancelled = shop.press(&opened.redirect, &[("leave", "cancel")]).await;
    assert_eq!(cancelled, format!("{RETURN_URL}&outcome=cancelled"));
    let closed = shop.post(&opened.redirect, &[("leave", "close")]).await;
    assert_eq!(closed.status, 200);
    let found = shop.fetch(&opened, usd(1999)).await;
    assert_eq!((found.status, found.facts.len()), (SessionStatus::Open, 0));
    assert!(shop.stand_ins.books().is_empty());
}

#[tokio::test]
async fn a_delayed_payment_is_not_paid_before_its_bank_says_so() {
    let shop = Shop::start().await;
    for (payment, choice, button) in [
        ("p1", "succeed", None),
        ("p2", "fail", None),
        ("p3", "succeed", Some("succeed")),
        ("p4", "succeed", Some("fail")),
    ] {
        let opened = shop.open(payment, usd(1999)).await;
        assert_eq!(shop.press(&opened.redirect, &[("bank", choice)]).await, RETURN_URL);
        let found = shop.fetch(&opened, usd(1999)).await;
        assert_eq!((found.status, found.facts.len()), (SessionStatus::Processing, 0));
        match button {
            Some(button) => shop.dashboard(&opened, &[("settle", button)]).await,
            None => shop.clock.advance(seconds(10)),
        }
        let found = shop.fetch(&opened, usd(1999)).await;
        let wanted = match button.unwrap_or(choice) {
            "succeed" => "Captured 1999",
            _ => "Failed 1999 insufficient_funds",
        };
        assert_eq!(
            (found.status, super::shown(&found)),
            (SessionStatus::Closed, vec![wanted.to_owned()])
        );
    }
    for kind in ["async_payment_succeeded", "async_payment_failed", "completed"] {
        shop.wait_for_webhook(&format!("checkout.session.{kind}")).await;
    }
    shop.wait_for_webhook("payment_intent.processing").await;
}

#[tokio::test]
async fn sessions_expire_by_the_clock() {
    let shop = Shop::start().await;
    let now = shop.clock.now();
    // Sooner than Stripe allows.
    let request =
        OpenRequest { expires_at: now.plus(seconds(60)), ..shop.request(PAYMENT, usd(1999)) };
    let opened = shop.gateway.open(&request).await.unwrap();
    shop.press(&opened.redirect, &[("card", "4000002500003155")]).await;
    shop.clock.advance(seconds(30 * 60));
    assert_eq!(shop.fetch(&opened, usd(1999)).await.status, SessionStatus::Open);
    shop.clock.advance(seconds(60));
    // Without a call of anybody.
    let event = shop.wait_for_webhook("checkout.session.expired").await;
    assert_eq!(event.subject, WebhookSubject::Payment(PAYMENT.into()));
    let found = shop.fetch(&opened, usd(1999)).await;
    assert_eq!(
        (found.status, super::shown(&found)),
        (SessionStatus::Closed, vec!["Failed 1999 expired".to_owned()])
    );
    assert_eq!(found.facts[0].reference, opened.reference);
    assert!(shop.page(&opened.redirect).await.contains("Expired"));
    assert_eq!(shop.press(&opened.redirect, &[("card", PAYS)]).await, opened.redirect);
    assert!(shop.stand_ins.books().is_empty());
}

#[tokio::test]
async fn a_cancelled_session_cannot_be_paid() {
    let shop = Shop::start().await;
    let opened = shop.open(PAYMENT, usd(1999)).await;
    shop.gateway.cancel(session(&opened, usd(1999)), "cancel-1").await.unwrap();
    assert_eq!(shop.facts(&opened, usd(1999)).await, ["Failed 1999 expired"]);
    assert_eq!(shop.press(&opened.redirect, &[("card", PAYS)]).await, opened.redirect);
    shop.gateway.cancel(session(&opened, usd(1999)), "cancel-2").await.unwrap();
    // What is captured stays.
    let paid = shop.paid("p2", usd(1999)).await;
    shop.gateway.cancel(session(&paid, usd(1999)), "cancel-3").await.unwrap();
    assert_eq!(shop.facts(&paid, usd(1999)).await, ["Captured 1999"]);
}

#[tokio::test]
async fn refunds_end_with_what_was_captured() {
    let shop = Shop::start().await;
    let opened = shop.paid(PAYMENT, usd(1000)).await;
    let first = shop.refund(&opened, usd(1000), 300, "refund-1").await.unwrap();
    assert_eq!((first.kind, first.amount), (FactKind::Refunded, usd(300)));
    assert_eq!(shop.refund(&opened, usd(1000), 300, "refund-1").await.unwrap(), first);
    let too_much = shop.refund(&opened, usd(1000), 701, "refund-2").await;
    assert!(
        matches!(too_much, Err(GatewayError::Refused { message, .. }) if message.contains("greater than"))
    );
    shop.refund(&opened, usd(1000), 700, "refund-3").await.unwrap();
    let nothing_left = shop.refund(&opened, usd(1000), 1, "refund-4").await;
    assert!(
        matches!(nothing_left, Err(GatewayError::Refused { code, .. }) if code == "charge_already_refunded")
    );
    assert_eq!(
        shop.facts(&opened, usd(1000)).await,
        ["Captured 1000", "Refunded 300", "Refunded 700"]
    );
    assert_eq!((shop.book(PAYMENT).captured, shop.book(PAYMENT).refunded), (1000, 1000));
    for kind in ["charge.refunded", "refund.created"] {
        assert_eq!(
            shop.wait_for_webhook(kind).await.subject,
            WebhookSubject::Payment(PAYMENT.into())
        );
    }
    let unpaid = shop.open("p2", usd(1000)).await;
    let refused = shop.refund(&unpaid, usd(1000), 1, "refund-5").await;
    assert!(matches!(refused, Err(GatewayError::Refused { code, .. }) if code == "not_paid"));
}

#[tokio::test]
async fn a_refund_can_come_from_the_dashboard_and_fail() {
    let shop = Shop::start().await;
    let opened = shop.paid(PAYMENT, usd(1000)).await;
    shop.dashboard(&opened, &[("refund", "1"), ("amount", "2.50")]).await;
    let intent = shop.fetch(&opened, usd(1000)).await.facts[0].reference.clone();
    // It is none of ours, so it has no metadata.
    assert_eq!(
        shop.wait_for_webhook("refund.created").await.subject,
        WebhookSubject::Reference(intent)
    );
    let wrong = shop.post(&shop.dashboard_url(&opened), &[("refund", "1"), ("amount", "8")]).await;
    assert!(String::from_utf8_lossy(&wrong.body).contains("greater than unrefunded"));
    let refund = shop.fetch(&opened, usd(1000)).await.facts[1].reference.clone();
    shop.dashboard(&opened, &[("fail_refund", &refund)]).await;
    assert_eq!(
        shop.facts(&opened, usd(1000)).await,
        ["Captured 1000", "Refunded 250", "RefundFailed 250 expired_or_canceled_card"]
    );
    assert_eq!(shop.book(PAYMENT).refunded, 0);
    shop.wait_for_webhook("refund.failed").await;
}

#[tokio::test]
async fn a_dispute_is_won_or_lost() {
    let shop = Shop::start().await;
    for (payment, end, fact) in
        [("p1", "won", "DisputeWon 1000"), ("p2", "lost", "DisputeLost 1000")]
    {
        let opened = shop.open(payment, usd(1000)).await;
        shop.press(&opened.redirect, &[("card", "4000000000000259")]).await;
        assert_eq!(shop.facts(&opened, usd(1000)).await, ["Captured 1000"]);
        shop.clock.advance(seconds(5));
        let disputed = shop.fetch(&opened, usd(1000)).await;
        assert_eq!(super::shown(&disputed), ["Captured 1000", "Disputed 1000 fraudulent"]);
        let refused = shop.refund(&opened, usd(1000), 1, &format!("refund-{payment}")).await;
        assert!(
            matches!(refused, Err(GatewayError::Refused { code, .. }) if code == "charge_disputed")
        );
        let dispute = &disputed.facts[1].reference;
        assert!(shop.page(&shop.dashboard_url(&opened)).await.contains("The shop wins"));
        shop.dashboard(&opened, &[(end, dispute)]).await;
        let closed = shop.fetch(&opened, usd(1000)).await;
        assert_eq!(super::shown(&closed)[1..], ["Disputed 1000 fraudulent", fact]);
        assert_eq!(&closed.facts[2].reference, dispute);
    }
    // Or from the dashboard, for any payment.
    let opened = shop.paid("p3", usd(1000)).await;
    shop.dashboard(&opened, &[("dispute", "open")]).await;
    assert_eq!(shop.facts(&opened, usd(1000)).await.len(), 2);
    for kind in ["created", "funds_withdrawn", "funds_reinstated", "closed"] {
        let event = shop.wait_for_webhook(&format!("charge.dispute.{kind}")).await;
        assert!(
            matches!(event.subject, WebhookSubject::Reference(intent) if intent.starts_with("pi_"))
        );
    }
}

#[tokio::test]
async fn amounts_have_the_decimals_of_stripe() {
    let shop = Shop::start().await;
    for (payment, minor, code) in [
        ("p1", 5_000, "JPY"),
        ("p2", 5_000, "UGX"),
        ("p3", 5_120, "KWD"),
        ("p4", 120_050, "BDT"),
        ("p5", 700, "ISK"),
    ] {
        let amount = Money::new(minor, code.parse().unwrap());
        let opened = shop.paid(payment, amount).await;
        assert_eq!(shop.facts(&opened, amount).await, [format!("Captured {minor}")]);
        let refund = if code == "KWD" { 10 } else { 1 };
        shop.refund(&opened, amount, refund, &format!("refund-{payment}")).await.unwrap();
        let book = shop.book(payment);
        assert_eq!((book.captured, book.refunded, book.currency.as_str()), (minor, refund, code));
    }
    let fraction = shop.request("p6", Money::new(5_124, "KWD".parse().unwrap()));
    let refused = shop.gateway.open(&fraction).await;
    assert!(
        matches!(refused, Err(GatewayError::Refused { code, .. }) if code == "amount_precision")
    );
    let small = shop.gateway.open(&shop.request("p7", usd(49))).await;
    assert!(matches!(small, Err(GatewayError::Refused { code, .. }) if code == "amount_too_small"));
}

#[tokio::test]
async fn charges_are_listed_by_their_time() {
    let shop = Shop::start().await;
    let from = shop.clock.now();
    // More than one page of the list.
    let payments: Vec<String> = (0..101).map(|n| format!("p{n:03}")).collect();
    for payment in &payments {
        shop.paid(payment, usd(100)).await;
    }
    let refunded = shop.paid("refunded", usd(500)).await;
    shop.refund(&refunded, usd(500), 200, "refund-1").await.unwrap();
    let reserved = shop.reserve("reserved", usd(500)).await;
    shop.press(&reserved.redirect, &[("card", PAYS)]).await;
    let declined = shop.open("declined", usd(500)).await;
    shop.press(&declined.redirect, &[("card", "4000000000000002")]).await;
    shop.clock.advance(seconds(1));
    let to = shop.clock.now();
    shop.paid("later", usd(100)).await;
    let listed = shop.gateway.list(from, to).await.unwrap().unwrap();
    assert_eq!(listed.len(), 102);
    let found: Vec<&str> = listed.iter().filter_map(|one| one.payment.as_deref()).collect();
    assert_eq!(found[..101], payments.iter().map(String::as_str).collect::<Vec<_>>());
    let last = listed.last().unwrap();
    assert_eq!((last.captured, last.refunded), (usd(500), usd(200)));
    let fact = &shop.fetch(&refunded, usd(500)).await.facts[0];
    assert_eq!(last.reference, fact.reference);
    assert_eq!(shop.gateway.list(Timestamp(0), from).await.unwrap().unwrap(), []);
}

#[tokio::test]
async fn the_key_is_checked_and_not_repeated() {
    let shop = Shop::start().await;
    shop.gateway.check().await.unwrap();
    let stranger =
        gateway(&format!("{}/dev/payments/stripe", shop.origin), "sk_test_of_somebody_else");
    let why = stranger.check().await.unwrap_err();
    assert!(
        matches!(&why, GatewayError::Refused { code, .. } if code == "invalid_api_key"),
        "{why}"
    );
    assert!(!why.to_string().contains("sk_"), "{why}");
}

#[tokio::test]
async fn the_dashboard_lists_payments() {
    let shop = Shop::start().await;
    let url = format!("{}/dev/payments/stripe/dashboard", shop.origin);
    assert!(shop.page(&url).await.contains("none yet"));
    let opened = shop.paid(PAYMENT, usd(1999)).await;
    let page = shop.page(&url).await;
    assert!(page.contains("H-1001") && page.contains("$19.99") && page.contains(&opened.reference));
    assert_eq!(shop.get(&format!("{url}/cs_test_unknown")).await.status, 404);
    assert_eq!(
        shop.get(&format!("{}/dev/payments/stripe/pay/cs_x", shop.origin)).await.status,
        404
    );
    eventually("all webhooks", async || shop.stand_ins.pending_webhooks() == 0).await;
}
