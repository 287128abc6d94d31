// The checkout: one order for the amounts shown, whatever happens to the network and the stock.
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page, Route } from "@playwright/test";
import type { ProductWithVariants } from "../src/lib/api.gen";
import { expectAccessible, expectNoOverflow } from "./a11y";
import {
  ADDRESS,
  address,
  amount,
  buy,
  expectCompleted,
  fillIn,
  importRow,
  listOrders,
  newCustomer,
  newEmail,
  openCheckout,
  PHONE,
  phone,
  placeOrder,
  product,
  signedIn,
  signIn,
  variant,
  withCart,
} from "./customer";
import { hydrated } from "./locators";
import { expect, test } from "./shop";

const MUG = "marl-stoneware-mug";
const NOTEBOOK = "daybook-leather-notebook";
const POPUP = "Order successfully done";

// Each loads pages, makes an account and places an order.

const cartIcon = (page: Page) =>
  page.getByRole("navigation", { name: "Shopping" }).getByRole("link", { name: /^Cart/ });

// Intercepts the order request and counts it.
async function onOrderRequest(page: Page, handle: (route: Route, time: number) => Promise<void>) {
  const keys: string[] = [];
  await page.route("**/api/orders", async (route) => {
    if (route.request().method() !== "POST") return route.fallback();
    keys.push(route.request().headers()["idempotency-key"] ?? "");
    await handle(route, keys.length);
  });
  return keys;
}

test("a guest signs in, comes back and orders, and reloads keep each step", {
  tag: "@database",
}, async ({ page }) => {
  const email = newEmail();
  await newCustomer(page, email);
  await withCart(page, { [MUG]: 2 });
  await page.goto("/cart");
  await hydrated(page);
  await page.getByRole("link", { name: "To Continue Please Login first" }).click();
  await signIn(page, email);
  await expect(page).toHaveURL(/\/cart\?step=checkout$/);
  await expect(page.locator("[aria-current=step]")).toHaveText("Check Out");
  await expect(page.locator("main [aria-disabled=true]", { hasText: "Completed" })).toBeVisible();

  await page.reload();
  await expect(page.getByRole("textbox", { name: "Name" })).toHaveValue("Mina Das");
  await expect(page.getByRole("textbox", { name: "Email", exact: true })).toHaveValue(email);
  await expect(amount(page, "Sub Total")).toHaveText("$36.00");
  await expect(amount(page, "Shipping")).toHaveText("$40.00");
  await expect(amount(page, "Vat")).toHaveText("$120.00");
  await expect(amount(page, "Total")).toHaveText("$196.00");
  await page.getByRole("list", { name: "Steps" }).getByRole("link").click();
  await expect(page).toHaveURL(/\/cart$/);
  await page.goBack();

  // Available methods come first.
  await expect(page.getByRole("radio").first()).toHaveAccessibleName(/^Cash on delivery/);
  await expect(page.getByRole("radio", { name: /^Credit card/ })).toBeEnabled();
  await expect(page.getByRole("radio", { name: /^PayPal/ })).toBeEnabled();
  await fillIn(page);
  await placeOrder(page).click();
  await expect(page.getByRole("dialog")).toHaveAccessibleName(POPUP);
  await expect(page.getByRole("status").filter({ hasText: POPUP }).first()).toBeVisible();
  const number = await expectCompleted(page);
  await expect(page.getByRole("heading", { level: 1 })).toBeFocused();
  await expect(page.getByText("$196.00")).toBeVisible();
  await expect(page.getByText(email)).toBeVisible();
  const bought = page.getByRole("list", { name: "What you ordered" }).getByRole("listitem");
  await expect(bought).toHaveText([/^2 × Marl Stoneware Mug\s*Colour: Oat$/]);
  await expect(bought.locator("img")).toHaveCount(1);
  await expect(cartIcon(page)).toHaveAccessibleName("Cart");
  await page.reload();
  expect(await expectCompleted(page)).toBe(number);
  // The submitted form is not in the history.
  await page.goBack();
  await expect(page).toHaveURL(/\/cart$/);
  await expect(page.getByText("Your carts is empty")).toBeVisible();
  const [order] = await listOrders(page);
  expect(order).toMatchObject({ number, name: "Mina Das", phone: PHONE, address: ADDRESS });
});

test("without an order the last step says so", async ({ page }) => {
  await page.goto("/cart?step=completed");
  await expect(page.getByRole("heading", { name: "There is no order to show" })).toBeVisible();
  await page.getByRole("link", { name: "To the cart" }).click();
  await expect(page).toHaveURL(/\/cart$/);
});

test.describe("missing or wrong input", () => {
  test.use({ allowedErrors: [/\b400\b/] });

  test("is reported at its field, also by the server", async ({ page }) => {
    await signedIn(page);
    await withCart(page, { [MUG]: 1 });
    await openCheckout(page);
    const name = page.getByRole("textbox", { name: "Name" });
    await name.fill(" ");
    await placeOrder(page).click();
    await expect(name).toBeFocused();
    await expect(name).toHaveAccessibleDescription("Name is Required");
    await expect(phone(page)).toHaveAccessibleDescription("Phone is required");
    await expect(address(page)).toHaveAccessibleDescription("Address is required");
    await name.fill("Mina");
    await phone(page).fill("call me");
    await expect(phone(page)).toHaveAccessibleDescription(/^Please write a number/);
    await phone(page).fill(PHONE);
    await expect(phone(page)).toHaveAttribute("aria-invalid", "false");
    await address(page).fill(ADDRESS);

    const message = "at most 1000 characters";
    const fields = [{ name: "address", code: "too_long", message, params: { most: "1000" } }];
    await onOrderRequest(page, (route, time) =>
      time > 1
        ? route.fallback()
        : route.fulfill({
            status: 400,
            json: { error: { code: "invalid", message: "address", fields } },
          }),
    );
    await placeOrder(page).click();
    await expect(address(page)).toHaveAccessibleDescription("At most 1,000 characters.");
    await expect(address(page)).toBeFocused();
    await placeOrder(page).click();
    await expectCompleted(page);
  });
});

test("a reload while the popup is open shows the order", async ({ page }) => {
  await signedIn(page);
  await withCart(page, { [MUG]: 1 });
  await openCheckout(page);
  await fillIn(page);
  await placeOrder(page).click();
  await expect(page.getByRole("dialog")).toHaveAccessibleName(POPUP);
  await page.reload();
  const number = await expectCompleted(page);
  expect((await listOrders(page)).map((order) => order.number)).toEqual([number]);
});

test("a double click is one order", { tag: "@database" }, async ({ page }) => {
  await signedIn(page);
  await withCart(page, { [MUG]: 1 });
  await openCheckout(page);
  await fillIn(page);
  const keys = await onOrderRequest(page, (route) => route.fallback());
  await placeOrder(page).dblclick();
  await expectCompleted(page);
  expect(keys).toHaveLength(1);
  expect(await listOrders(page)).toHaveLength(1);
});

test.describe("when responses are lost", () => {
  test.use({ allowedErrors: [/net::ERR_FAILED|\b503\b/] });

  test("the order is sent again and placed once", { tag: "@database" }, async ({ page }) => {
    await signedIn(page);
    await withCart(page, { [MUG]: 1 });
    await openCheckout(page);
    await fillIn(page);
    const keys = await onOrderRequest(page, async (route, time) => {
      if (time === 1) {
        await route.fetch();
        await route.abort();
      } else if (time === 2) await route.fulfill({ status: 503, body: "" });
      else await route.fallback();
    });
    await placeOrder(page).click();
    const number = await expectCompleted(page);
    expect(new Set(keys).size).toBe(1);
    expect(keys).toHaveLength(3);
    expect((await listOrders(page)).map((order) => order.number)).toEqual([number]);
  });

  test("a reload finds the order", async ({ page }) => {
    await signedIn(page);
    await withCart(page, { [MUG]: 1 });
    await openCheckout(page);
    await fillIn(page);
    // The fifth is in progress when the page is reloaded.
    const keys = await onOrderRequest(page, async (route, time) => {
      if (time === 1) await route.fetch();
      if (time <= 4) await route.abort();
      else if (time > 5) await route.fallback();
    });
    await placeOrder(page).click();
    const again = page.getByRole("button", { name: "Try again" });
    await expect(again).toBeVisible({ timeout: 60_000 });
    await expect(page.getByRole("alert")).toContainText("we do not know yet");
    await again.click();
    await expect.poll(() => keys.length).toBe(5);
    await page.reload();
    const number = await expectCompleted(page);
    expect(new Set(keys).size).toBe(1);
    expect((await listOrders(page)).map((order) => order.number)).toEqual([number]);
    await expect(cartIcon(page)).toHaveAccessibleName("Cart");
  });

  test("a reload finds the order also when it has left the cart before", async ({ page }) => {
    await signedIn(page);
    await withCart(page, { [MUG]: 1 });
    await openCheckout(page);
    await expect(cartIcon(page)).toHaveAccessibleName("Cart, 1 item");
    await fillIn(page);
    const keys = await onOrderRequest(page, async (route, time) => {
      if (time === 1) await route.fetch();
      await route.abort();
    });
    await placeOrder(page).click();
    await expect(page.getByRole("button", { name: "Try again" })).toBeVisible({ timeout: 60_000 });
    // The order has left the cart on the server, and now here.
    await page.evaluate(() => dispatchEvent(new Event("focus")));
    await expect(cartIcon(page)).toHaveAccessibleName("Cart");
    await page.reload();
    const number = await expectCompleted(page);
    expect(keys).toHaveLength(4);
    expect((await listOrders(page)).map((order) => order.number)).toEqual([number]);
  });

  test("a customer who has changed the cart since decides whether to continue", async ({
    page,
  }) => {
    await signedIn(page);
    await withCart(page, { [MUG]: 1, [NOTEBOOK]: 1 });
    await openCheckout(page);
    await fillIn(page);
    const keys = await onOrderRequest(page, (route, time) =>
      time <= 4 ? route.abort() : route.fallback(),
    );
    await placeOrder(page).click();
    await expect(page.getByRole("button", { name: "Try again" })).toBeVisible({ timeout: 60_000 });
    await page.getByRole("list", { name: "Steps" }).getByRole("link").click();
    await page
      .getByRole("button", { name: /^Remove Daybook/ })
      .last()
      .click();
    await page.getByRole("link", { name: "Proceed to checkout" }).click();
    await expect(page.getByRole("alert")).toContainText("we do not know yet");
    expect(keys).toHaveLength(4);
    await expect(amount(page, "Sub Total")).toHaveText("$18.00");
    await placeOrder(page).click();
    await expectCompleted(page);
    expect(await listOrders(page)).toMatchObject([{ lines: [{ _id: MUG }] }]);
  });

  test("another address is another order", async ({ page }) => {
    await signedIn(page);
    await withCart(page, { [MUG]: 1 });
    await openCheckout(page);
    await fillIn(page);
    const keys = await onOrderRequest(page, (route, time) =>
      time <= 4 ? route.abort() : route.fallback(),
    );
    await placeOrder(page).click();
    await expect(page.getByRole("button", { name: "Try again" })).toBeVisible({ timeout: 60_000 });
    await address(page).fill("Somewhere else");
    await placeOrder(page).click();
    await expectCompleted(page);
    expect(new Set(keys).size).toBe(2);
    expect(await listOrders(page)).toMatchObject([{ address: "Somewhere else" }]);
  });
});

test.describe("when the cart has changed", () => {
  test.use({ allowedErrors: [/\b409\b/] });

  test("sold stock is reported, and the rest can be ordered", { tag: "@database" }, async ({
    page,
  }) => {
    const tote = "portway-structured-tote";
    await signedIn(page);
    const { qtn: stock } = await variant(page.request, tote);
    await withCart(page, { [tote]: stock, [MUG]: 1 });
    await openCheckout(page);
    await fillIn(page);
    const rival = await newCustomer(page);
    const { number } = await buy(page, rival, { [tote]: stock - 1 });
    await placeOrder(page).click();
    await expect(page.getByRole("alert")).toContainText("Nothing was ordered.");
    await expect(page.getByRole("alert")).toContainText("Only 1 left in stock");
    await expectAccessible(page, "a changed cart");
    await expect(amount(page, "Sub Total")).toHaveText("$308.00");
    await placeOrder(page).click();
    await expectCompleted(page);
    await expect(page.getByText("$468.00")).toBeVisible();

    // Restores it for the next test.
    const [mine] = await listOrders(page);
    for (const [token, order] of [
      [rival, number],
      [await page.evaluate(() => localStorage.getItem("accessToken")), mine?.number],
    ]) {
      const headers = { authorization: `Bearer ${token}` };
      await page.request.post(`/api/orders/${order}/cancel`, { headers });
    }
  });

  test("a changed price and a removed product are reported", { tag: "@database" }, async ({
    page,
    cli,
  }) => {
    const lamp = "limpet-wall-light";
    const clock = "hearth-mantel-clock";
    await signedIn(page);
    await withCart(page, { [lamp]: 1, [clock]: 1 });
    const before = [await product(page.request, lamp), await product(page.request, clock)];
    await openCheckout(page);
    await fillIn(page);
    const file = join(mkdtempSync(join(tmpdir(), "haat-price-")), "catalog.json");
    const takeIn = async (...changes: ((one: ProductWithVariants) => object)[]) => {
      const products = before.map((one, at) => (changes[at] ?? importRow)(one));
      writeFileSync(file, JSON.stringify({ categories: [], products }));
      await cli("import", file, "--stock-at", "now");
    };
    await takeIn(
      (lamp) => ({ ...importRow(lamp), realPrice: 123 }),
      (clock) => importRow(clock, 0),
    );
    await placeOrder(page).click();
    const said = page.getByRole("alert");
    await expect(said).toContainText("The price has changed from $110.00 to $123.00.");
    await expect(said).toContainText("No longer to be had. It is not counted.");
    await expect(amount(page, "Total")).toHaveText("$283.00");
    await placeOrder(page).click();
    await expectCompleted(page);
    expect(await listOrders(page)).toMatchObject([{ total: 283, lines: [{ _id: lamp }] }]);
    await takeIn();
  });
});

test("an order in taka is in taka everywhere", async ({ page }) => {
  await signedIn(page);
  await withCart(page, { [MUG]: 3 });
  await openCheckout(page);
  await expect(amount(page, "Total")).toHaveText("$214.00");
  await fillIn(page);
  // What was typed stays.
  await page.getByLabel("Currency").selectOption("BDT");
  await expect(amount(page, "Sub Total")).toHaveText("৳6,507");
  await expect(amount(page, "Shipping")).toHaveText("৳4,820");
  await expect(amount(page, "Vat")).toHaveText("৳14,460");
  const total = "৳25,787";
  await expect(amount(page, "Total")).toHaveText(total);
  await expect(page.locator("main")).toContainText("3 × ৳2,169");
  await expect(page.locator("main")).not.toContainText("$");
  await expect(phone(page)).toHaveValue(PHONE);
  await expect(address(page)).toHaveValue(ADDRESS);
  const sent = page.waitForRequest(
    (request) => request.method() === "POST" && /\/api\/orders$/.test(request.url()),
  );
  await placeOrder(page).click();
  expect((await sent).postDataJSON()).toMatchObject({ currency: "BDT", total: 25_787 });
  await expectCompleted(page);
  await expect(page.locator("main")).toContainText(total);
  expect(await listOrders(page)).toMatchObject([
    { currency: "BDT", total: 25_787, lines: [{ buyPrice: 2169, qtn: 3, total: 6507 }] },
  ]);
  await page.goto("/account");
  await hydrated(page);
  await expect(page.getByText("Total spent")).toBeVisible();
  await expect(page.locator("main")).not.toContainText("$");

  // The order keeps its currency.
  await page.getByLabel("Currency").selectOption("USD");
  await page
    .getByRole("navigation", { name: "Your account" })
    .getByRole("link", { name: "Purchase History" })
    .click();
  await page.getByRole("button", { name: /^Invoice of/ }).click();
  await expect(page.getByRole("dialog")).toContainText(total);
  await expect(page.getByRole("dialog")).not.toContainText("$");
});

test("the checkout page places the same order, and remembers addresses", async ({ page }) => {
  await signedIn(page, "/checkout");
  await withCart(page, { [MUG]: 1 });
  await openCheckout(page, "/checkout");
  const tabs = page.getByRole("navigation", { name: "Checkout" });
  await expect(tabs.getByRole("link", { name: "Shopping Cart" })).toHaveAttribute("href", "/cart");
  await expect(page.getByRole("textbox", { name: "First name" })).toHaveValue("Mina");
  await page.getByRole("textbox", { name: "Last name" }).fill("");
  await fillIn(page);
  await placeOrder(page).click();
  await expect(page.getByText("Last name is required")).toBeVisible();
  await page.getByRole("textbox", { name: "First name" }).fill(" Mina ");
  await page.getByRole("textbox", { name: "Last name" }).fill(" Sen ");
  await placeOrder(page).click();
  await expectCompleted(page);
  expect(await listOrders(page)).toMatchObject([{ name: "Mina Sen" }]);

  await withCart(page, { [MUG]: 1 });
  await openCheckout(page);
  await expect(address(page)).toHaveValue(ADDRESS);
  await expect(phone(page)).toHaveValue(PHONE);
  await expect(page.getByLabel("Remembered addresses")).toHaveCount(0);
  await address(page).fill("12 Lake Road\nKhulna");
  await placeOrder(page).click();
  await expectCompleted(page);
  await withCart(page, { [MUG]: 1 });
  await openCheckout(page);
  await expect(address(page)).toHaveValue("12 Lake Road\nKhulna");
  await page.getByLabel("Remembered addresses").selectOption({ index: 1 });
  await expect(address(page)).toHaveValue(ADDRESS);
});

test("the cart is the same on another device, and goes at sign-out", {
  tag: "@database",
}, async ({ page, browser }) => {
  const email = newEmail();
  await newCustomer(page, email);
  await withCart(page, { [MUG]: 2 });
  await page.goto("/login");
  await hydrated(page);
  await signIn(page, email);
  await expect(cartIcon(page)).toHaveAccessibleName("Cart, 2 items");

  const other = await (await browser.newContext({ baseURL: page.url() })).newPage();
  await withCart(other, { [NOTEBOOK]: 1 });
  await other.goto("/login");
  await hydrated(other);
  await signIn(other, email);
  await expect(cartIcon(other)).toHaveAccessibleName("Cart, 3 items");

  const reached = other.waitForResponse((answer) => answer.request().method() === "PATCH");
  await other.goto(`/product/${MUG}`);
  await hydrated(other);
  await other.getByRole("button", { name: "Add to cart" }).first().click();
  await reached;
  await page.evaluate(() => dispatchEvent(new Event("focus")));
  await expect(cartIcon(page)).toHaveAccessibleName("Cart, 4 items");
  await other.context().close();

  await page.getByRole("button", { name: "Log out" }).click();
  await expect(cartIcon(page)).toHaveAccessibleName("Cart");
  await page.goto("/login");
  await hydrated(page);
  await signIn(page, email);
  await expect(cartIcon(page)).toHaveAccessibleName("Cart, 4 items");
});

test.describe("at every width, in both themes", () => {
  test("the checkout fits and is accessible", async ({ page }) => {
    test.slow();
    await signedIn(page);
    await withCart(page, { [MUG]: 1, [NOTEBOOK]: 2 });
    for (const url of ["/cart?step=checkout", "/checkout"]) {
      await openCheckout(page, url);
      await placeOrder(page).click();
      await expect(page.getByText("Phone is required")).toBeVisible();
      for (const width of [360, 768, 1440]) {
        await page.setViewportSize({ width, height: 900 });
        await expectNoOverflow(page, `${url} at ${width}`);
      }
      for (const colorScheme of ["light", "dark"] as const) {
        await page.emulateMedia({ colorScheme });
        await expectAccessible(page, `${url}, ${colorScheme}`);
      }
    }
    await fillIn(page);
    await placeOrder(page).click();
    await expectCompleted(page);
    await expectAccessible(page, "completed");
    await page.setViewportSize({ width: 360, height: 900 });
    await expectNoOverflow(page, "completed");
  });
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("every step says that it needs JavaScript", async ({ page }) => {
    for (const url of ["/cart?step=checkout", "/checkout"]) {
      await page.goto(url);
      await expect(page.getByText("Placing an order needs JavaScript.")).toBeVisible();
    }
    await page.goto("/track");
    await expect(page.getByText("Tracking needs JavaScript.")).toBeVisible();
    await page.goto("/account");
    await expect(page.getByText("Your account needs JavaScript.")).toBeVisible();
  });
});
