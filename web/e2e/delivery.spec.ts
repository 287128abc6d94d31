// Delivery zones: the destination and the method that the shopper chooses, in the cart, at checkout, and
// on what follows from the order.
import { writeFile } from "node:fs/promises";
import type { Locator, Page } from "@playwright/test";
import type { Quote } from "../src/lib/api.gen";
import { expectAccessible, expectNoOverflow, smallTargets } from "./a11y";
import { bn, openPage, say } from "./bangla";
import { expectBangla } from "./bangla-texts";
import {
  accountId,
  expectCompleted,
  listOrders,
  newCustomer,
  newEmail,
  openCheckout,
  PHONE,
  phone,
  placeOrder,
  signedIn,
  signIn,
  withCart,
} from "./customer";
import { hydrated } from "./locators";
import { type Cli, expect, test } from "./shop";

// $18.00; the VAT is $120.00.
const MUG = "marl-stoneware-mug";

const POST = {
  ...{ _id: "post", name: "Post", translations: { bn: "ডাক" }, price: 5, freeOver: 100 },
  ...{ days: "2-4", skip: ["fri"] },
};
const PICK_UP = {
  ...{ _id: "shop", name: "Pick up", translations: { bn: "দোকান থেকে" }, price: 0 },
  pickup: { address: "12 Market Lane", hours: "10-20" },
};
const BIKE = { _id: "bike", name: "Bike", translations: { bn: "সাইকেল" }, price: 1.5, days: "1" };
const BANGLADESH = {
  ...{ _id: "bd", name: "Bangladesh", places: [{ country: "BD" }] },
  methods: [POST, PICK_UP],
};
// Who collects the money there wants some of it.
const WITH_FEE = { ...BANGLADESH, methods: [POST, { ...PICK_UP, cashOnDeliveryFee: 2 }] };
const DHAKA = {
  ...{ _id: "dhaka", name: "Dhaka", places: [{ country: "BD", district: "ঢাকা" }] },
  methods: [BIKE],
};
const AMERICA = {
  ...{ _id: "us", name: "USA", places: [{ country: "US" }] },
  methods: [{ _id: "air", name: "Air", price: { byWeight: [{ upTo: 200_000, price: 30 }] } }],
};

type Zone = { _id: string; methods: { _id: string }[] };

// One of these countries is in no zone.
test.use({ settings: ["--countries", "BD, US, DE"] });

// Replaces all zones, and waits until the running shop knows them.
async function importZones(page: Page, cli: Cli, ...zones: Zone[]): Promise<void> {
  const file = test.info().outputPath("zones.json");
  await writeFile(file, JSON.stringify({ zones }));
  await cli("delivery", "import", file);
  for (const [country, zone] of [
    ["BD", zones.find(({ _id }) => _id === "bd")],
    ["US", zones.find(({ _id }) => _id === "us")],
  ] as const) {
    const data = { lines: [{ _id: MUG, qtn: 1 }], destination: { country } };
    const methods = async () => {
      const answer = await page.request.post("/api/quote", { data });
      return ((await answer.json()) as Quote).deliveries.map(({ id }) => id);
    };
    await expect.poll(methods).toEqual(zone?.methods.map(({ _id }) => _id) ?? []);
  }
}

// Other tests may have the same database.
test.afterEach(({ page, cli }) => importZones(page, cli));

const cartTotal = (page: Page) => page.getByRole("region", { name: "Cart Total" });
const yourOrder = (page: Page) => page.getByRole("region", { name: "Your order" });
const row = (on: Locator, name: string) =>
  on.locator("dl > div", { has: on.page().getByText(name, { exact: true }) }).locator("dd");
const method = (page: Page, name: string) =>
  page.getByRole("radio", { name: new RegExp(`^${name}`) });
const change = (page: Page) => page.getByRole("button", { name: "Change the destination" });
const choose = (page: Page, part: string, place: string) =>
  page.getByRole("combobox", { name: part, exact: true }).selectOption({ label: place });
const kept = (page: Page) =>
  page.evaluate(() => JSON.parse(localStorage.getItem("haat.delivery") ?? "{}").value);

// "22–24 November", as the server says.
const DATES = /\d+(–\d+)? \w+( – \d+ \w+)?/;

async function goTo(page: Page, places: Record<string, string>): Promise<void> {
  await change(page).click();
  for (const [part, place] of Object.entries(places)) await choose(page, part, place);
  await page.getByRole("button", { name: "Apply", exact: true }).click();
  await expect(change(page)).toBeFocused();
}

test("the destination and the method decide what the delivery costs, everywhere", {
  tag: "@database",
}, async ({ page, cli }) => {
  test.slow();
  await importZones(page, cli, WITH_FEE, DHAKA, AMERICA);
  await page.goto(`/product/${MUG}`);
  const terms = page.getByRole("list", { name: "Delivery, returns and payment" });
  await expect(terms).toContainText("Delivery in 2–4 days for $5.00, free over $100.00");
  const email = newEmail();
  const token = await newCustomer(page, email);
  await cli("credit", "grant", accountId(token), "138", "--reason", "For the trouble");
  await page.goto("/login");
  await hydrated(page);
  await signIn(page, email);
  await withCart(page, { [MUG]: 1 });
  await page.goto("/cart");
  await hydrated(page);
  // The shop's own country.
  await expect(page.getByRole("region", { name: "Delivery to Bangladesh" })).toBeVisible();
  await expect(method(page, "Post")).toBeChecked();
  await expect(page.getByText(DATES).first()).toBeVisible();
  await expect(row(cartTotal(page), "Shipping (Post)")).toHaveText("$5.00");
  expect(await kept(page)).toBeUndefined();

  await goTo(page, { Division: "Dhaka", District: "Dhaka" });
  await expect(page.getByRole("region", { name: "Delivery to Bangladesh · Dhaka" })).toBeVisible();
  await expect(method(page, "Bike")).toBeChecked();
  await expect(row(cartTotal(page), "Shipping (Bike)")).toHaveText("$1.50");
  await expect(row(cartTotal(page), "Cash on delivery")).toHaveCount(0);
  await expect(row(cartTotal(page), "Total")).toHaveText("$19.50");

  await goTo(page, { Division: "Khulna" });
  await expect(method(page, "Post")).toBeChecked();
  await method(page, "Pick up").check();
  await expect(row(cartTotal(page), "Shipping (Pick up)")).toHaveText("Free");
  await expect(page.getByText("12 Market Lane10-20")).toBeVisible();
  await expectAccessible(page, "the cart with methods");
  await page.reload();
  await expect(method(page, "Pick up")).toBeChecked();
  await expect(row(cartTotal(page), "Cash on delivery")).toHaveText("$2.00");
  await expect(row(cartTotal(page), "Total")).toHaveText("$20.00");
  expect(await kept(page)).toEqual({
    destination: { country: "BD", region: "Khulna", district: "", postcode: "" },
    method: "shop",
  });

  await openCheckout(page);
  // The cart's destination is the start of the address.
  await expect(page.getByRole("combobox", { name: "Division" })).toHaveValue("Khulna");
  await expect(method(page, "Pick up")).toBeChecked();
  await expect(row(yourOrder(page), "Total")).toHaveText("$140.00");
  const cash = page.locator("label", {
    has: page.getByRole("radio", { name: "Cash on delivery" }),
  });
  await expect(cash).toContainText("+ $2.00");
  await choose(page, "Division", "Dhaka");
  await choose(page, "District", "Dhaka");
  await expect(method(page, "Bike")).toBeChecked();
  await expect(row(yourOrder(page), "Total")).toHaveText("$139.50");
  await expect(cash).not.toContainText("$");
  await choose(page, "Division", "Khulna");
  await choose(page, "District", "Khulna");
  await expect(method(page, "Pick up")).toBeChecked();
  await expect(row(yourOrder(page), "Shipping (Pick up)")).toHaveText("Free");
  await expect(page.getByText("You pay in cash when you pick it up")).toBeVisible();
  await fillInKhulna(page);
  // Store credit that pays the rest leaves no cash to pay, and so no fee.
  const credit = page.getByRole("checkbox", { name: /^Use store credit/ });
  await expect(page.getByText("It pays all of this order.")).toBeVisible();
  await credit.check();
  await expect(row(yourOrder(page), "Total")).toHaveText("$138.00");
  await expect(row(yourOrder(page), "To pay")).toHaveText("$0.00");
  await expect(row(yourOrder(page), "Cash on delivery")).toHaveCount(0);
  await expect(cash).not.toContainText("$");
  await credit.uncheck();
  await expect(row(yourOrder(page), "Cash on delivery")).toHaveText("$2.00");
  await expect(row(yourOrder(page), "Total")).toHaveText("$140.00");
  await expectAccessible(page, "the checkout with methods");
  await placeOrder(page).click();
  const number = await expectCompleted(page);
  await expect(page.locator("main")).toContainText("Pick up12 Market Lane10-20");
  await expect(page.locator("main")).toContainText("$140.00");
  await expect(page.locator("main")).toContainText("Cash on delivery$2.00");
  await expect(page.locator("main")).toContainText("You pay when you pick it up.");
  await expectAccessible(page, "the completed order");

  await page.goto(`/account/orders/${number}`);
  await hydrated(page);
  const bought = page.getByRole("region", { name: "What you bought" });
  await expect(row(bought, "Shipping (Pick up)")).toHaveText("Free");
  await expect(row(bought, "Cash on delivery")).toHaveText("$2.00");
  await expect(row(bought, "Total")).toHaveText("$140.00");
  await expect(page.getByRole("region", { name: "Delivery", exact: true })).toHaveText(
    "DeliveryPick up12 Market Lane10-20",
  );
  await page.getByRole("button", { name: "Invoice" }).click();
  await expect(row(page.getByRole("dialog"), "Shipping (Pick up)")).toBeVisible();
  // The first one is the way to pay.
  await expect(row(page.getByRole("dialog"), "Cash on delivery").last()).toHaveText("$2.00");
  expect(await cli("orders", "show", number)).toContain("cash on delivery $2.00, VAT $120.00");
  const [order] = await listOrders(page);
  expect(order).toMatchObject({ number, shipping: 0, total: 140, delivery: { method: "shop" } });
});

async function fillInKhulna(page: Page): Promise<void> {
  await phone(page).fill(PHONE);
  await choose(page, "Division", "Khulna");
  await choose(page, "District", "Khulna");
  await page.getByRole("combobox", { name: "Upazila or thana" }).fill("Dumuria");
  await page.getByRole("textbox", { name: "Street address" }).fill("House 12, Road 5");
}

test("where nothing is delivered, no order can be placed", async ({ page, cli }) => {
  await importZones(page, cli, BANGLADESH, DHAKA, AMERICA);
  await signedIn(page);
  await withCart(page, { [MUG]: 1 });
  await page.goto("/cart");
  await hydrated(page);
  await goTo(page, { Country: "United States" });
  await expect(row(cartTotal(page), "Shipping (Air)")).toHaveText("$30.00");
  await goTo(page, { Country: "Germany" });
  await expect(page.getByText("We do not deliver this cart to Germany.")).toBeVisible();
  await expect(row(cartTotal(page), "Shipping")).toHaveText("–");
  await expect(page.getByRole("link", { name: "Proceed to checkout" })).toHaveCount(0);
  await expectAccessible(page, "the cart that is not delivered");

  await openCheckout(page);
  await expect(page.getByRole("combobox", { name: "Country" })).toHaveValue("DE");
  const refusal = page.getByRole("alert").filter({ hasText: "We do not deliver this cart" });
  await expect(refusal).toContainText("to Germany");
  await expect(placeOrder(page)).toHaveCount(0);
  await expectAccessible(page, "the checkout of what is not delivered");
  await choose(page, "Country", "Bangladesh");
  await expect(refusal).toHaveCount(0);
  await expect(placeOrder(page)).toBeVisible();
  await expect(row(yourOrder(page), "Total")).toHaveText("$143.00");
});

test.describe("a method that is gone", () => {
  test.use({ allowedErrors: [/\b409\b/] });

  test("is reported instead of an order by another one", async ({ page, cli }) => {
    await importZones(page, cli, BANGLADESH, DHAKA, AMERICA);
    await signedIn(page);
    await withCart(page, { [MUG]: 1 });
    await openCheckout(page);
    await fillInKhulna(page);
    await method(page, "Pick up").check();
    await expect.poll(() => kept(page)).toMatchObject({ destination: { district: "Khulna" } });
    await expect(yourOrder(page)).toHaveAttribute("aria-busy", "false");
    await expect(row(yourOrder(page), "Total")).toHaveText("$138.00");
    await importZones(page, cli, { ...BANGLADESH, methods: [POST] }, DHAKA, AMERICA);
    await placeOrder(page).click();
    const alert = page.getByRole("alert").filter({ hasText: "Nothing was ordered." });
    await expect(alert).toContainText("It cannot be delivered that way any more.");
    await expect(method(page, "Post")).toBeChecked();
    await expect(row(yourOrder(page), "Total")).toHaveText("$143.00");
    await placeOrder(page).click();
    await expectCompleted(page);
    await expect(page.locator("main")).toContainText("$143.00");
    await expect(page.locator("main")).toContainText(DATES);
  });
});

test("without zones there is nothing to choose", async ({ page, cli }) => {
  await importZones(page, cli);
  await signedIn(page);
  await withCart(page, { [MUG]: 1 });
  await page.goto("/cart");
  await hydrated(page);
  await expect(row(cartTotal(page), "Shipping")).toHaveText("$40.00");
  await expect(change(page)).toHaveCount(0);
  await openCheckout(page);
  await fillInKhulna(page);
  await placeOrder(page).click();
  await expectCompleted(page);
  await expect(page.locator("main")).toContainText("$178.00");
  const [order] = await listOrders(page);
  expect(order).toMatchObject({ delivery: null, total: 178 });
});

test("the methods in Bangla, at every width", async ({ page, cli }) => {
  test.slow();
  await importZones(page, cli, WITH_FEE, DHAKA, AMERICA);
  const { addresses, cart } = bn;
  const names = ["Mina", "Das", "12", "Market", "Lane"];
  await signedIn(page);
  await withCart(page, { [MUG]: 1 });
  await openPage(page, "/bn/cart");
  await page.getByRole("button", { name: cart.changeDestination }).click();
  const division = page.getByRole("combobox", { name: addresses.division });
  await division.selectOption("Khulna");
  await expectBangla(page, "the cart with the destination's form", names);
  await expectAccessible(page, "the cart with the destination's form");
  await page.getByRole("button", { name: bn.common.apply, exact: true }).click();
  const place = say(cart.deliveryTo, { place: "বাংলাদেশ · খুলনা" });
  await expect(page.getByRole("region", { name: place })).toBeVisible();
  await method(page, "দোকান থেকে").check();
  await expect(page.getByText("শিপিং (দোকান থেকে)")).toBeVisible();
  await expect(page.getByText("১০-২০")).toBeVisible();
  await expect(row(page.locator("main"), bn.common.cashOnDelivery)).toHaveText("$২.০০");
  for (const address of ["/bn/cart", "/bn/cart?step=checkout"]) {
    await openPage(page, address);
    await expect(method(page, "দোকান থেকে")).toBeChecked();
    await expectBangla(page, `${address} with methods`, names);
    for (const width of [360, 390, 768, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      await expectNoOverflow(page, `${address} with methods, ${width} pixels wide`);
      for (const colorScheme of ["light", "dark"] as const) {
        await page.emulateMedia({ colorScheme });
        await expectAccessible(page, `${address} with methods, ${colorScheme}`);
      }
      const small = await smallTargets(page);
      expect(small.filter((target) => /^(input|select)|বদলান/.test(target))).toEqual([]);
    }
  }
});
