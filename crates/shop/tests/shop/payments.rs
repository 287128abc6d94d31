//! Payments at providers: what goes wrong elsewhere, each by name, and the ways on which money goes and comes back.

use std::time::Duration;

use axum::http::{Method, StatusCode};
use payment_stand_ins::Fault;
use platform::Timestamp;
use serde_json::{Value, json};
use shop::orders::{OrderStatus, Refund, Step, StepOutcome::Done};
use shop::payments::alerts;
use shop::payments::{EventSource, PaymentState};
use test_support::on_both;

use super::payments_shop::{PayingShop, number, redirect};
use super::test_shop::{ME, ONE_LAMP};

const GOOD: &str = "4242424242424242";
const DECLINED: &str = "4000000000000002";

on_both!(PayingShop:
    a_card_pays_for_an_order,
    an_order_is_told_of_only_once_it_stands,
    the_return_and_the_webhook_race_and_the_order_stands_once,
    the_same_webhook_three_times_settles_once,
    two_refunds_at_once_give_back_no_more_than_there_was,
    an_order_does_not_stand_while_its_payment_is_processing,
    what_is_charged_is_the_orders_total_to_the_last_unit,
    a_forged_webhook_is_refused_before_anything_is_read,
    a_webhook_of_another_shop_changes_nothing,
    a_forged_return_changes_nothing,
    an_unpaid_order_gives_its_goods_back,
    money_that_arrives_too_late_goes_back,
    a_declined_payment_is_tried_again_with_another_provider,
    what_is_paid_twice_goes_back,
    a_cancelled_order_is_refunded,
    returns_are_refunded_in_parts_to_the_card,
    a_refund_as_store_credit_leaves_the_card_alone,
    a_refund_whose_answer_was_lost_is_made_once,
    a_provider_that_is_down_keeps_the_order,
    amounts_that_a_provider_does_not_take_are_refused_before_the_redirect,
    a_dispute_is_an_alert,
    bkash_is_charged_once_and_refunded,
    sslcommerz_is_asked_and_not_believed,
    paypal_is_captured_after_the_approval,
    the_books_are_compared,
    a_refused_refund_is_an_alert,
    what_needs_no_provider_stays_as_it_was,
);

async fn a_card_pays_for_an_order(given: PayingShop) {
    let order = given.order("card").await;
    let waiting = given.seen(&order).await;
    assert_eq!(waiting["status"], "awaiting_payment");
    assert_eq!(waiting["paymentStatus"], "awaiting_payment");
    assert!(waiting["payUrl"].as_str().unwrap().starts_with("/pay/"), "{waiting}");
    // The goods are held.
    assert_eq!(given.shop.stock("lamp").await, (49, 1));
    let back = given.pay_by_card(&order, GOOD).await;
    let page = given.come_back(&back).await;
    assert!(page.contains(&format!("/pay/{}?key=", number(&order))), "{page}");
    assert!(page.ends_with("&returned=1"), "{page}");
    let paid = given.seen(&order).await;
    assert_eq!((&paid["status"], &paid["paymentStatus"]), (&json!("placed"), &json!("paid")));
    assert_eq!(paid["payUrl"], Value::Null);
    assert_eq!(paid["payment"]["provider"], "card");
    assert_eq!(paid["payment"]["state"], "captured");
    // It can still be cancelled, so its invoice has no number yet.
    assert_eq!(paid["invoices"], json!([]));
    let seen = given.page(&order).await;
    assert_eq!((&seen["canPay"], &seen["paymentStatus"]), (&json!(false), &json!("paid")));
    given.receive_webhooks().await;
    given.adds_up().await;
}

async fn an_order_is_told_of_only_once_it_stands(given: PayingShop) {
    let shop = &given.shop;
    let order = given.order("card").await;
    assert_eq!(shop.emails().await.len(), 0);
    let declined = given.pay_by_card(&order, DECLINED).await;
    assert!(declined.starts_with(redirect(&order)), "{declined}");
    given.receive_webhooks().await;
    assert_eq!(shop.emails().await.len(), 0);
    assert_eq!(given.seen(&order).await["status"], "awaiting_payment");
    given.pay_by_card(&order, GOOD).await;
    given.receive_webhooks().await;
    let emails = shop.emails().await;
    assert_eq!(emails.len(), 1, "{emails:?}");
    assert_eq!(emails[0]["subject"], format!("Your order {}", number(&order)));
    given.adds_up().await;
}

async fn the_return_and_the_webhook_race_and_the_order_stands_once(given: PayingShop) {
    for _ in 0..4 {
        let order = given.order("card").await;
        let back = given.pay_by_card(&order, GOOD).await;
        let page = given.pay_path(&order);
        let again = given.shop.ask("GET", &page, &[], "");
        let (_, (), _) = tokio::join!(given.come_back(&back), given.receive_webhooks(), again);
        given.run_jobs().await;
        let seen = given.seen(&order).await;
        assert_eq!((&seen["status"], &seen["paymentStatus"]), (&json!("placed"), &json!("paid")));
        assert_eq!(seen["history"].as_array().unwrap().len(), 2, "{seen}");
    }
    assert_eq!(given.shop.emails().await.len(), 4);
    given.adds_up().await;
}

async fn the_same_webhook_three_times_settles_once(given: PayingShop) {
    let order = given.order("card").await;
    let rates = payment_stand_ins::FaultRates { webhook_repeats: 4, ..Default::default() };
    given.stand_ins.faults().set(rates);
    given.pay_by_card(&order, GOOD).await;
    given.receive_webhooks().await;
    let events = given.shop.count("payment_webhooks").await;
    given.receive_webhooks().await;
    assert_eq!(given.shop.count("payment_webhooks").await, events);
    let captured = "payment_events where kind = 'captured'";
    assert_eq!(given.shop.count(captured).await, 1);
    assert_eq!(given.seen(&order).await["paymentStatus"], "paid");
    assert_eq!(given.shop.emails().await.len(), 1);
}

async fn two_refunds_at_once_give_back_no_more_than_there_was(given: PayingShop) {
    let order = given.paid_by_card().await;
    let payment = given.payment(&order).await;
    let settlement = given.settlement();
    let most = payment.captured;
    let (one, two) = tokio::join!(
        settlement.refund(&payment.id, Some(most)),
        settlement.refund(&payment.id, Some(most))
    );
    assert_eq!([one.is_ok(), two.is_ok()].iter().filter(|done| **done).count(), 1);
    given.run_jobs().await;
    assert_eq!(given.books(&payment), (most.minor(), most.minor()));
    assert!(settlement.refund(&payment.id, None).await.is_err());
    given.receive_webhooks().await;
    given.adds_up().await;
}

async fn an_order_does_not_stand_while_its_payment_is_processing(given: PayingShop) {
    let order = given.order("card").await;
    let back = given.submit(redirect(&order), &[("bank", "succeed")]).await;
    given.come_back(&back).await;
    given.receive_webhooks().await;
    let seen = given.page(&order).await;
    assert_eq!(seen["status"], "awaiting_payment");
    assert_eq!(seen["paymentStatus"], "processing");
    let again = given.pay(&order, "paypal").await;
    assert_eq!(again.body["error"]["code"], "payment_processing");
    // The hold is over, but the bank still works on it.
    given.shop.given.clock.advance(Duration::from_secs(5));
    assert_eq!(given.shop.emails().await.len(), 0);
    given.shop.given.clock.advance(Duration::from_secs(30));
    given.settle(&order).await;
    assert_eq!(given.seen(&order).await["paymentStatus"], "paid");
    given.receive_webhooks().await;
    given.adds_up().await;
}

async fn what_is_charged_is_the_orders_total_to_the_last_unit(given: PayingShop) {
    for currency in ["USD", "JPY", "EUR", "BDT"] {
        let per_unit = if currency == "JPY" { 1.0 } else { 100.0 };
        let total = given.total_in(currency).await;
        let order = given.order_in("card", currency, total).await;
        given.pay_by_card(&order, GOOD).await;
        given.settle(&order).await;
        let payment = given.payment(&order).await;
        assert_eq!(payment.captured.minor(), (total * per_unit).round() as i64, "{currency}");
        assert_eq!(given.books(&payment).0, payment.captured.minor(), "{currency}");
        let seen = given.seen(&order).await;
        assert_eq!(seen["paymentStatus"], "paid");
        assert_eq!(seen["total"].as_f64(), Some(total));
    }
    given.receive_webhooks().await;
    given.adds_up().await;
}

async fn a_forged_webhook_is_refused_before_anything_is_read(given: PayingShop) {
    let order = given.order("card").await;
    let payment = given.payment(&order).await;
    let event = json!({ "id": "evt_forged", "object": "event", "type": "checkout.session.completed",
        "data": { "object": { "id": payment.reference, "object": "checkout.session", "payment_status": "paid",
                              "client_reference_id": payment.id } } });
    for signature in ["", "t=1,v1=00", "garbage"] {
        let sent = given.post_webhook("stripe", signature, &event.to_string()).await;
        assert_eq!(sent, StatusCode::BAD_REQUEST, "{signature}");
    }
    for (provider, body) in [("sslcommerz", "tran_id=1&status=VALID"), ("paypal", "{}")] {
        let sent = given.post_webhook(provider, "", body).await;
        assert!(sent.is_client_error(), "{provider}: {sent}");
    }
    assert_eq!(given.post_webhook("unknown", "", "{}").await, StatusCode::NOT_FOUND);
    let huge = "x".repeat(300 << 10);
    assert_eq!(given.post_webhook("stripe", "", &huge).await, StatusCode::PAYLOAD_TOO_LARGE);
    assert_eq!(given.shop.count("payment_webhooks").await, 0);
    given.run_jobs().await;
    assert_eq!(given.seen(&order).await["status"], "awaiting_payment");
}

async fn a_webhook_of_another_shop_changes_nothing(given: PayingShop) {
    let order = given.order("card").await;
    let settlement = given.settlement();
    for subject in ["01hzzzzzzzzzzzzzzzzzzzzzzz", "pi_of_another_shop", "../x", ""] {
        settlement.settle_subject(subject).await.unwrap();
    }
    assert_eq!(given.seen(&order).await["status"], "awaiting_payment");
}

async fn a_forged_return_changes_nothing(given: PayingShop) {
    for provider in ["card", "paypal"] {
        let order = given.order(provider).await;
        let payment = given.payment(&order).await;
        let own = given.webhooks.strip_suffix("/webhooks/payments").unwrap();
        let key = given.pay_path(&order);
        let key = key.split_once("key=").unwrap().1;
        let address = format!("{own}/payments/return/{}/{key}?status=success&paid=1", payment.id);
        given.come_back(&address).await;
        assert_eq!(given.seen(&order).await["status"], "awaiting_payment");
        // Without the key there is no such address.
        let address = format!("{own}/payments/return/{}/{}", payment.id, "0".repeat(32));
        let sent = given.http.exchange(Method::GET, &address, |request| request).await.unwrap();
        assert_eq!(sent.status, StatusCode::NOT_FOUND);
        let other = given.pay_path(&order).replace(key, &"0".repeat(32));
        let seen = given.shop.ask("GET", &other, &[], "").await;
        assert_eq!(seen.status, StatusCode::NOT_FOUND);
    }
}

async fn an_unpaid_order_gives_its_goods_back(given: PayingShop) {
    let order = given.order("card").await;
    assert_eq!(given.shop.stock("lamp").await, (49, 1));
    given.shop.given.clock.advance(Duration::from_secs(59 * 60));
    assert_eq!(given.settlement().cancel_unpaid().await.unwrap(), 0);
    given.shop.given.clock.advance(Duration::from_secs(2 * 60));
    assert_eq!(given.settlement().cancel_unpaid().await.unwrap(), 1);
    assert_eq!(given.shop.stock("lamp").await, (50, 0));
    let seen = given.seen(&order).await;
    assert_eq!(
        (&seen["status"], &seen["paymentStatus"]),
        (&json!("cancelled"), &json!("cancelled"))
    );
    given.run_jobs().await;
    assert_eq!(given.payment(&order).await.state, PaymentState::Failed);
    // The session cannot be paid any more.
    given.pay_by_card(&order, GOOD).await;
    given.receive_webhooks().await;
    assert_eq!(given.books(&given.payment(&order).await), (0, 0));
    let again = given.pay(&order, "card").await;
    assert_eq!(again.body["error"]["code"], "not_awaiting_payment");
    let emails = given.shop.emails().await;
    let texts: Vec<String> = emails.iter().map(|one| words(&one["text"])).collect();
    assert!(
        texts.iter().any(|text| text.contains("was not paid, so it is cancelled")),
        "{texts:?}"
    );
}

async fn money_that_arrives_too_late_goes_back(given: PayingShop) {
    let order = given.order("card").await;
    // The shopper has paid, but nothing is heard of it, and the shop cancels the order.
    let lost = payment_stand_ins::FaultRates { webhook_lost_percent: 100, ..Default::default() };
    given.stand_ins.faults().set(lost);
    given.pay_by_card(&order, GOOD).await;
    assert_eq!(given.shop.apply(number(&order), Step::Cancel).await, Done(OrderStatus::Cancelled));
    given.run_jobs().await;
    given.settle(&order).await;
    given.run_jobs().await;
    let payment = given.payment(&order).await;
    assert_eq!(given.books(&payment), (18_550, 18_550));
    assert_eq!(payment.state, PaymentState::Refunded);
    assert_eq!(given.seen(&order).await["paymentStatus"], "refunded");
    assert_eq!(given.shop.stock("lamp").await, (50, 0));
    given.adds_up().await;
}

async fn a_declined_payment_is_tried_again_with_another_provider(given: PayingShop) {
    let order = given.order("card").await;
    given.pay_by_card(&order, DECLINED).await;
    let back = given.submit(redirect(&order), &[("leave", "cancel")]).await;
    given.come_back(&back).await;
    let seen = given.page(&order).await;
    assert_eq!((&seen["canPay"], &seen["status"]), (&json!(true), &json!("awaiting_payment")));
    let ways: Vec<&str> = seen["methods"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one["provider"].as_str().unwrap())
        .collect();
    assert_eq!(ways, ["card", "google_pay", "paypal"]);
    let unpaid = given.pay(&order, "cash_on_delivery").await;
    assert_eq!(unpaid.status, StatusCode::UNPROCESSABLE_ENTITY);
    let unpaid = given.pay(&order, "bkash").await;
    assert_eq!(unpaid.body["error"]["fields"][0]["code"], "payment_amount", "{}", unpaid.body);
    // The same page for the same provider, and another for another.
    let same = given.pay(&order, "card").await;
    assert_eq!(same.body["redirect"], redirect(&order));
    let other = given.pay(&order, "paypal").await;
    let page =
        other.body["redirect"].as_str().unwrap_or_else(|| panic!("{}", other.body)).to_owned();
    let back = given.approve(&page, "balance").await;
    given.come_back(&back).await;
    given.receive_webhooks().await;
    let paid = given.seen(&order).await;
    assert_eq!((&paid["status"], &paid["paymentStatus"]), (&json!("placed"), &json!("paid")));
    assert_eq!(paid["payment"]["provider"], "paypal");
    assert_eq!(paid["payments"].as_array().unwrap().len(), 2);
    // The card's session is not payable any more.
    given.pay_by_card(&order, GOOD).await;
    given.receive_webhooks().await;
    given.adds_up().await;
    let card = given.payments(&order).await.remove(0);
    assert_eq!(given.books(&card), (0, 0));
}

async fn what_is_paid_twice_goes_back(given: PayingShop) {
    let order = given.order("card").await;
    let lost = payment_stand_ins::FaultRates { webhook_lost_percent: 100, ..Default::default() };
    given.stand_ins.faults().set(lost);
    let other = given.pay(&order, "paypal").await;
    let paypal = other.body["redirect"].as_str().unwrap().to_owned();
    // In the other tab, before the session is cancelled.
    given.pay_by_card(&order, GOOD).await;
    let back = given.approve(&paypal, "balance").await;
    given.come_back(&back).await;
    given.run_jobs().await;
    for payment in given.payments(&order).await {
        given.settlement().settle(&payment.id, EventSource::Reconciliation).await.unwrap();
    }
    given.run_jobs().await;
    let kept: i64 = given.payments(&order).await.iter().map(|one| one.kept().minor()).sum();
    assert_eq!(kept, 18_550);
    let seen = given.seen(&order).await;
    assert_eq!(seen["status"], "placed");
    given.adds_up().await;
}

async fn a_cancelled_order_is_refunded(given: PayingShop) {
    let order = given.paid_by_card().await;
    let cancelled =
        given.shop.post(&format!("/api/orders/{}/cancel", number(&order)), ME, &json!({})).await;
    assert_eq!(cancelled.body["status"], "cancelled");
    given.run_jobs().await;
    let payment = given.payment(&order).await;
    assert_eq!(given.books(&payment), (18_550, 18_550));
    assert_eq!(given.seen(&order).await["paymentStatus"], "refunded");
    given.receive_webhooks().await;
    given.adds_up().await;
}

async fn returns_are_refunded_in_parts_to_the_card(given: PayingShop) {
    let order = given.paid_by_card().await;
    given.shop.advance(number(&order), 4).await;
    assert_eq!(
        given.shop.apply(number(&order), Step::RequestReturn(&[])).await,
        Done(OrderStatus::ReturnRequested)
    );
    given.shop.advance(number(&order), 2).await;
    given.run_jobs().await;
    let payment = given.payment(&order).await;
    // Everything but the delivery.
    assert_eq!(given.books(&payment), (18_550, 14_550));
    let seen = given.seen(&order).await;
    assert_eq!(
        (&seen["status"], &seen["paymentStatus"]),
        (&json!("refunded"), &json!("partly_refunded"))
    );
    // The rest, by hand.
    given.settlement().refund(&payment.id, None).await.unwrap();
    given.run_jobs().await;
    assert_eq!(given.seen(&order).await["paymentStatus"], "refunded");
    given.receive_webhooks().await;
    given.adds_up().await;
}

async fn a_refund_as_store_credit_leaves_the_card_alone(given: PayingShop) {
    let order = given.paid_by_card().await;
    given.shop.advance(number(&order), 4).await;
    given.shop.apply(number(&order), Step::RequestReturn(&[])).await;
    given.shop.advance(number(&order), 1).await;
    let refund = Step::Refund(Refund { amount: None, as_credit: true });
    assert_eq!(given.shop.apply(number(&order), refund).await, Done(OrderStatus::Refunded));
    given.run_jobs().await;
    given.receive_webhooks().await;
    assert_eq!(given.books(&given.payment(&order).await), (18_550, 0));
    assert_eq!(given.shop.get("/api/credit", ME).await.body["balance"], 145.5);
}

async fn a_refund_whose_answer_was_lost_is_made_once(given: PayingShop) {
    for provider in ["card", "paypal"] {
        let order = given.paid_by(provider).await;
        given.shop.apply(number(&order), Step::Cancel).await;
        // The provider does it, and the answer is lost: as if this server had been killed.
        given.stand_ins.faults().fail_next(Fault::After, 3);
        given.run_jobs().await;
        given.stand_ins.faults().fail_next(Fault::After, 0);
        for _ in 0..12 {
            given.shop.given.clock.advance(Duration::from_secs(3600));
            given.run_jobs().await;
        }
        let payment = given.payment(&order).await;
        assert_eq!(given.books(&payment), (18_550, 18_550), "{provider}");
        assert_eq!(payment.state, PaymentState::Refunded, "{provider}");
        assert_eq!(given.shop.count("failed_jobs").await, 0);
    }
    given.receive_webhooks().await;
    given.adds_up().await;
}

async fn a_provider_that_is_down_keeps_the_order(given: PayingShop) {
    given.stand_ins.faults().fail_next(Fault::Before, 10);
    let order = given.order("card").await;
    let page = redirect(&order).to_owned();
    assert!(page.contains(&format!("/pay/{}?key=", number(&order))), "{page}");
    given.stand_ins.faults().fail_next(Fault::Before, 0);
    let again = given.pay(&order, "card").await;
    let page =
        again.body["redirect"].as_str().unwrap_or_else(|| panic!("{}", again.body)).to_owned();
    let back = given.submit(&page, &[("card", GOOD)]).await;
    given.come_back(&back).await;
    assert_eq!(given.seen(&order).await["paymentStatus"], "paid");
    assert_eq!(given.payments(&order).await.len(), 1);
    given.receive_webhooks().await;
    given.adds_up().await;
}

async fn amounts_that_a_provider_does_not_take_are_refused_before_the_redirect(given: PayingShop) {
    let methods = given.shop.ask("GET", "/api/payments", &[], "").await.body;
    let of = |name: &str| {
        let methods = methods.as_array().unwrap();
        methods.iter().find(|one| one["provider"] == name).cloned().unwrap_or(Value::Null)
    };
    assert_eq!(
        of("cash_on_delivery")["amounts"][0],
        json!({ "currency": "USD", "min": null, "max": null })
    );
    assert_eq!(of("bkash")["enabled"], true);
    let taken: Vec<Value> = of("bkash")["amounts"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one["currency"].clone())
        .collect();
    assert_eq!(taken, [json!("BDT")]);
    let refused = given.try_order("bkash", "USD", ONE_LAMP).await;
    assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY, "{}", refused.body);
    let field = &refused.body["error"]["fields"][0];
    assert_eq!((&field["name"], &field["code"]), (&json!("payment"), &json!("payment_amount")));
    assert_eq!(field["params"]["currency"], "USD");
    assert_eq!(given.shop.count("orders").await, 0);
    assert_eq!(given.shop.stock("lamp").await, (50, 0));
}

async fn a_dispute_is_an_alert(given: PayingShop) {
    let order = given.order("card").await;
    let back = given.pay_by_card(&order, "4000000000000259").await;
    given.come_back(&back).await;
    given.shop.given.clock.advance(Duration::from_secs(60));
    given.settle(&order).await;
    let seen = given.seen(&order).await;
    assert_eq!((&seen["status"], &seen["paymentStatus"]), (&json!("placed"), &json!("disputed")));
    let open = alerts::list(&given.shop.given.db, false, 10).await.unwrap();
    assert_eq!(open.iter().map(|one| one.kind.as_str()).collect::<Vec<_>>(), ["dispute"]);
    assert!(alerts::resolve(&given.shop.given.db, &open[0].id, Timestamp(1)).await.unwrap());
    given.settle(&order).await;
    assert_eq!(alerts::count_open(&given.shop.given.db).await.unwrap(), 0);
}

async fn bkash_is_charged_once_and_refunded(given: PayingShop) {
    let order = given.order_in("bkash", "BDT", given.total_in("BDT").await).await;
    let page = redirect(&order).to_owned();
    let (address, query) = page.split_once('?').unwrap();
    let fields = given.query_fields(query);
    let mut fields: Vec<(&str, &str)> =
        fields.iter().map(|(a, b)| (a.as_str(), b.as_str())).collect();
    fields.extend([
        ("wallet", "01700000000"),
        ("otp", "123456"),
        ("pin", "12121"),
        ("choice", "pay"),
    ]);
    let back = given.submit(address, &fields).await;
    assert!(back.contains("status=success"), "{back}");
    let (one, two) = tokio::join!(given.come_back(&back), given.come_back(&back));
    assert_eq!(one, two);
    let seen = given.seen(&order).await;
    assert_eq!((&seen["status"], &seen["paymentStatus"]), (&json!("placed"), &json!("paid")));
    given.shop.apply(number(&order), Step::Cancel).await;
    given.run_jobs().await;
    let payment = given.payment(&order).await;
    assert_eq!(given.books(&payment), (payment.amount.minor(), payment.amount.minor()));
    given.adds_up().await;
}

async fn sslcommerz_is_asked_and_not_believed(given: PayingShop) {
    let total = given.total_in("BDT").await;
    let order = given.order_in("sslcommerz", "BDT", total).await;
    let payment = given.payment(&order).await;
    // The browser claims that it is paid.
    let own = given.webhooks.strip_suffix("/webhooks/payments").unwrap();
    let key = given.pay_path(&order);
    let key = key.split_once("key=").unwrap().1;
    let address = format!("{own}/payments/return/{}/{key}", payment.id);
    let id = payment.id.to_string();
    let claim =
        [("status", "VALID"), ("tran_id", id.as_str()), ("amount", "22352.75"), ("val_id", "1")];
    given.submit(&address, &claim).await;
    assert_eq!(given.seen(&order).await["status"], "awaiting_payment");
    given.submit(redirect(&order), &[("choice", "card")]).await;
    given.receive_webhooks().await;
    given.settle(&order).await;
    let seen = given.seen(&order).await;
    assert_eq!((&seen["status"], &seen["paymentStatus"]), (&json!("placed"), &json!("paid")));
    given.adds_up().await;
}

async fn paypal_is_captured_after_the_approval(given: PayingShop) {
    let order = given.order("paypal").await;
    // Approved, and the browser never comes back.
    given.approve(redirect(&order), "closed").await;
    assert_eq!(given.books(&given.payment(&order).await), (0, 0));
    given.receive_webhooks().await;
    assert_eq!(given.seen(&order).await["paymentStatus"], "paid");
    // An order that is cancelled is not charged by a late approval.
    let late = given.order("paypal").await;
    given.shop.apply(number(&late), Step::Cancel).await;
    given.approve(redirect(&late), "balance").await;
    given.receive_webhooks().await;
    assert_eq!(given.books(&given.payment(&late).await), (0, 0));
    given.adds_up().await;
}

async fn the_books_are_compared(given: PayingShop) {
    let order = given.paid_by_card().await;
    let now = given.shop.given.clock.now();
    let day = Duration::from_secs(24 * 3600);
    let compared = given.settlement().compare_books(now.minus(day), now.plus(day)).await.unwrap();
    assert_eq!((compared.payments, compared.differences.len()), (1, 0), "{compared:?}");
    assert!(compared.charges >= 1);
    // Somebody has changed our sums.
    let id = given.payment(&order).await.id;
    let sql = "update payments set captured = captured - 1 where id = $1";
    given.shop.given.db.query(sql).bind(&id).execute().await.unwrap();
    let compared = given.settlement().compare_books(now.minus(day), now.plus(day)).await.unwrap();
    assert_eq!(compared.differences.len(), 1, "{compared:?}");
    let open = alerts::list(&given.shop.given.db, false, 10).await.unwrap();
    let mut kinds: Vec<&str> = open.iter().map(|one| one.kind.as_str()).collect();
    kinds.sort_unstable();
    // By our sums less is paid than the order costs.
    assert_eq!(kinds, ["books_differ", "order_unpaid"]);
}

async fn a_refused_refund_is_an_alert(given: PayingShop) {
    let order = given.paid_by_card().await;
    let payment = given.payment(&order).await;
    // Somebody refunds on the provider's own pages, and the shop does not hear of it.
    let lost = payment_stand_ins::FaultRates { webhook_lost_percent: 100, ..Default::default() };
    given.stand_ins.faults().set(lost);
    let page = redirect(&order).replace("/pay/", "/dashboard/");
    given.submit(&page, &[("refund", "1"), ("amount", "185.50")]).await;
    assert_eq!(given.books(&payment), (18_550, 18_550));
    given.shop.apply(number(&order), Step::Cancel).await;
    given.run_jobs().await;
    let open = alerts::list(&given.shop.given.db, false, 10).await.unwrap();
    assert_eq!(open.iter().map(|one| one.kind.as_str()).collect::<Vec<_>>(), ["call_refused"]);
    given.adds_up().await;
}

async fn what_needs_no_provider_stays_as_it_was(given: PayingShop) {
    let order = given.order("cash_on_delivery").await;
    assert_eq!(order["next"], Value::Null);
    let seen = given.seen(&order).await;
    assert_eq!((&seen["status"], &seen["paymentStatus"]), (&json!("placed"), &json!("unpaid")));
    assert_eq!(given.shop.emails().await.len(), 1);
    let again = given.pay(&order, "card").await;
    assert_eq!(again.body["error"]["code"], "not_awaiting_payment");
}

/// A text without its line breaks.
fn words(text: &Value) -> String {
    text.as_str().unwrap().split_whitespace().collect::<Vec<_>>().join(" ")
}

impl PayingShop {
    async fn paid_by_card(&self) -> Value {
        self.paid_by("card").await
    }

    async fn paid_by(&self, provider: &str) -> Value {
        let order = self.order(provider).await;
        let back = match provider {
            "card" => self.pay_by_card(&order, GOOD).await,
            _ => self.approve(redirect(&order), "balance").await,
        };
        self.come_back(&back).await;
        self.receive_webhooks().await;
        assert_eq!(self.seen(&order).await["paymentStatus"], "paid");
        order
    }

    /// Chooses on the page of PayPal, whose form repeats the token of the address.
    async fn approve(&self, page: &str, choice: &str) -> String {
        let (address, query) = page.split_once('?').unwrap();
        let token = query.split('&').find_map(|pair| pair.strip_prefix("token=")).unwrap();
        self.submit(address, &[("token", token), ("choice", choice)]).await
    }

    /// Pays again, or in another way.
    async fn pay(&self, order: &Value, payment: &str) -> super::test_shop::Answer {
        let path = self.pay_path(order);
        self.shop.ask("POST", &path, &[], json!({ "payment": payment }).to_string()).await
    }

    async fn post_webhook(&self, provider: &str, signature: &str, body: &str) -> StatusCode {
        let address = format!("{}/{provider}", self.webhooks);
        let (signature, body) = (signature.to_owned(), body.to_owned());
        let sent = self.http.exchange(Method::POST, &address, |request| {
            request.header("stripe-signature", signature).body(body)
        });
        sent.await.unwrap().status
    }

    /// The total of a lamp in a currency.
    async fn total_in(&self, currency: &str) -> f64 {
        let guess = self.try_order("cash_on_delivery", currency, 1.0).await;
        guess.body["quote"]["total"].as_f64().unwrap_or_else(|| panic!("{}", guess.body))
    }

    fn query_fields(&self, query: &str) -> Vec<(String, String)> {
        query
            .split('&')
            .filter_map(|pair| pair.split_once('='))
            .map(|(a, b)| (a.into(), b.into()))
            .collect()
    }
}

mod reserved {
    use super::*;

    on_both!(Reserving: a_reserved_amount_is_taken_when_the_order_is_shipped);

    struct Reserving(PayingShop);

    impl Reserving {
        async fn new(engine: test_support::Engine) -> Self {
            Self(PayingShop::with(engine, true).await)
        }
    }

    async fn a_reserved_amount_is_taken_when_the_order_is_shipped(Reserving(given): Reserving) {
        let order = given.order("card").await;
        let back = given.pay_by_card(&order, GOOD).await;
        given.come_back(&back).await;
        let seen = given.seen(&order).await;
        assert_eq!(
            (&seen["status"], &seen["paymentStatus"]),
            (&json!("placed"), &json!("authorised"))
        );
        assert_eq!(given.books(&given.payment(&order).await), (0, 0));
        given.shop.advance(number(&order), 3).await;
        given.run_jobs().await;
        let payment = given.payment(&order).await;
        assert_eq!(given.books(&payment), (18_550, 0));
        assert_eq!(given.seen(&order).await["paymentStatus"], "paid");
        // What is cancelled before is released, and never taken.
        let other = given.order("card").await;
        let back = given.pay_by_card(&other, GOOD).await;
        given.come_back(&back).await;
        given.shop.apply(number(&other), Step::Cancel).await;
        given.run_jobs().await;
        assert_eq!(given.payment(&other).await.state, PaymentState::Voided);
        assert_eq!(given.books(&given.payment(&other).await), (0, 0));
        given.receive_webhooks().await;
        given.adds_up().await;
    }
}
