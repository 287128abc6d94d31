// Addresses with the parts of their country, in a shop that delivers to two.
import type { Locator, Page } from "@playwright/test";
import type { Address, ListedOrder } from "../src/lib/api.gen";
import { expectAccessible, expectNoOverflow, smallTargets } from "./a11y";
import { bn, openPage, signInAt } from "./bangla";
import { latinWordsIn } from "./bangla-texts";
import {
  address,
  expectCompleted,
  listOrders,
  newCustomer,
  newEmail,
  openCheckout,
  PASSWORD,
  phone,
  placeOrder,
  signedIn,
  signIn,
  withCart,
} from "./customer";
import { accessToken, newestEmail, verifiedCustomer } from "./identity";
import { holdRequests, hydrated } from "./locators";
import { pdfText } from "./pdf";
import { expect, test } from "./shop";

const MUG = "marl-stoneware-mug";
const PROFILE = "/account/profile";
const DHANMONDI = "House 12, Road 5\nDhanmondi\nDhaka - 1205";

test.use({ settings: ["--countries", "BD, US"] });

const dialog = (page: Page) => page.getByRole("dialog");
const field = (on: Page | Locator, name: string) => on.getByLabel(name, { exact: true });
// A label around a select has the texts of its options, too.
const choice = (on: Page | Locator, name: string) =>
  on.getByRole("combobox", { name, exact: true });
const expectError = (field: Locator, message: string | RegExp) =>
  expect(field).toHaveAccessibleDescription(message);

async function writeDhanmondi(on: Page | Locator): Promise<void> {
  await choice(on, "Division").selectOption("Dhaka");
  await choice(on, "District").selectOption("Dhaka");
  await field(on, "Upazila or thana").fill("Dhanmondi");
  await field(on, "Street address").fill("House 12, Road 5");
  await field(on, "Postcode (optional)").fill("১২০৫");
}

// biome-ignore lint/performance/useDomNodeTextContent: the lines that are shown.
const lines = (text: Locator) => text.innerText();

const deliveryAddress = (page: Page, name: string) =>
  page.getByRole("region", { name }).getByRole("paragraph").nth(1);

async function inBothThemes(page: Page, what: string): Promise<void> {
  for (const [width, colorScheme] of [
    [360, "light"],
    [1440, "dark"],
  ] as const) {
    await page.setViewportSize({ width, height: 800 });
    await page.emulateMedia({ colorScheme });
    await expectNoOverflow(page, what);
    await expectAccessible(page, `${what}, ${colorScheme}`);
  }
  await page.emulateMedia({ colorScheme: "light" });
}

test.describe("refused addresses", () => {
  test.use({ allowedErrors: [/\b400\b/] });

  test("an order to a district, after errors in words, and its papers", {
    tag: "@database",
  }, async ({ page }) => {
    const email = newEmail();
    // E-mails to others do not repeat the address.
    await verifiedCustomer(page, email, PASSWORD);
    await page.goto("/login");
    await hydrated(page);
    await signIn(page, email);
    await withCart(page, { [MUG]: 1 });
    await openCheckout(page);
    await field(page, "Name").fill("Mina Das");
    await expect(address(page)).toHaveCount(0);
    await expect(choice(page, "District")).toBeDisabled();

    await placeOrder(page).click();
    await expect(phone(page)).toBeFocused();
    await expectError(choice(page, "Division"), "Division is required");
    await expectError(field(page, "Street address"), "Street address is required");
    await inBothThemes(page, "the refused checkout");

    await phone(page).fill("+1 212 555 0123");
    await choice(page, "Country").selectOption("United States");
    await field(page, "Street address").fill("350 Fifth Ave\nFloor 21\nRoom 2\nDesk 9");
    await field(page, "City").fill("New York");
    await field(page, "ZIP code").fill("ABC");
    await placeOrder(page).click();
    await expect(field(page, "Street address")).toBeFocused();
    await expectError(field(page, "Street address"), "At most 3 lines");
    await expectError(choice(page, "State"), "State is required");
    await field(page, "Street address").fill("350 Fifth Ave");
    await choice(page, "State").selectOption("New York");
    await placeOrder(page).click();
    await expectError(field(page, "ZIP code"), /^Please write it like \d{5}$/);
    await expect(field(page, "ZIP code")).toBeFocused();

    // What both countries have stays, but no region of the other one.
    await choice(page, "Country").selectOption("Bangladesh");
    await expect(choice(page, "Division")).toHaveValue("");
    await expect(field(page, "Street address")).toHaveValue("350 Fifth Ave");
    await phone(page).fill("12");
    await writeDhanmondi(page);
    await placeOrder(page).click();
    await expect(phone(page)).toHaveAccessibleDescription(/number that we can call, like \+880/);
    await expect(phone(page)).toBeFocused();
    await phone(page).fill("০১৭১২-৩৪৫৬৭৮");
    await placeOrder(page).click();
    const number = await expectCompleted(page);
    const [order] = (await listOrders(page)) as [ListedOrder];
    expect(order).toMatchObject({
      phone: "+8801712345678",
      address: DHANMONDI,
      postalAddress: {
        country: "BD",
        region: "Dhaka",
        district: "Dhaka",
        city: "Dhanmondi",
        postcode: "1205",
        lines: ["House 12, Road 5"],
      },
    });

    expect(await newestEmail(page, email, `Your order ${number}`)).toContain(
      DHANMONDI.replaceAll("\n", "<br>"),
    );
    await page.goto(`/account/orders/${number}`);
    await hydrated(page);
    expect(await lines(deliveryAddress(page, "Delivery address"))).toBe(DHANMONDI);
    await page.getByRole("button", { name: "Invoice" }).click();
    const invoice = page.getByRole("article", { name: `Pro forma invoice ${number}` });
    expect(await lines(invoice)).toContain(DHANMONDI);
    const saved = page.waitForEvent("download");
    await dialog(page).getByRole("button", { name: "Download" }).click();
    const paper = await pdfText(await (await saved).path());
    expect(paper).toContain(DHANMONDI.replaceAll("\n", ""));
  });

  test("an address of the address book is changed, and chosen at checkout", {
    tag: "@database",
  }, async ({ page }) => {
    await signedIn(page, PROFILE);
    const addresses = page.getByRole("region", { name: "Addresses" }).getByRole("listitem");
    const save = () => page.getByRole("button", { name: "Save the address" }).click();
    await page.getByRole("button", { name: "Add an address" }).click();
    await field(dialog(page), "Phone").fill("01712345678");
    await writeDhanmondi(dialog(page));
    await inBothThemes(page, "the address dialog");
    await save();
    await expect(addresses).toHaveCount(1);
    expect(await lines(addresses.first())).toContain(DHANMONDI);

    await page.getByRole("button", { name: "Add an address" }).click();
    await field(dialog(page), "Phone").fill("212 555 0123");
    await choice(dialog(page), "Country").selectOption("US");
    await field(dialog(page), "Street address").fill("350 Fifth Ave");
    await field(dialog(page), "City").fill("New York");
    await choice(dialog(page), "State").selectOption("NY");
    await field(dialog(page), "ZIP code").fill("1011");
    await save();
    await expectError(field(dialog(page), "ZIP code"), /^Please write it like/);
    await expect(field(dialog(page), "ZIP code")).toBeFocused();
    await field(dialog(page), "ZIP code").fill("10118");
    await save();
    await expect(addresses).toHaveCount(2);
    const american = "350 Fifth Ave\nNew York, NY 10118\nUnited States";
    expect(await lines(addresses.last())).toContain(american);

    // Its parts survive a change of the default, and are edited.
    await addresses
      .last()
      .getByRole("button", { name: /^Make it the usual one/ })
      .click();
    await expect(addresses.first()).toContainText("350 Fifth Ave");
    await addresses.first().getByRole("button", { name: /^Edit/ }).click();
    await expect(choice(dialog(page), "State")).toHaveValue("NY");
    await expect(field(dialog(page), "ZIP code")).toHaveValue("10118");
    await field(dialog(page), "Street address").fill("350 Fifth Ave\nFloor 21");
    await save();
    await expect(dialog(page)).toBeHidden();

    await withCart(page, { [MUG]: 1 });
    await openCheckout(page);
    await expect(choice(page, "Country")).toHaveValue("US");
    await expect(choice(page, "State")).toHaveValue("NY");
    await expect(field(page, "Street address")).toHaveValue("350 Fifth Ave\nFloor 21");
    const remembered = choice(page, "Remembered addresses");
    await expect(remembered.locator("option").last()).toHaveText(DHANMONDI.replaceAll("\n", ", "));
    await remembered.selectOption({ index: 1 });
    await expect(choice(page, "District")).toHaveValue("Dhaka");
    await expect(field(page, "Upazila or thana")).toHaveValue("Dhanmondi");
    await expect(field(page, "Postcode (optional)")).toHaveValue("1205");
    await expect(phone(page)).toHaveValue("+8801712345678");
    await placeOrder(page).click();
    await expectCompleted(page);
    expect(await listOrders(page)).toMatchObject([{ address: DHANMONDI }]);
  });
});

test("districts belong to their division, and a thana can be one that is not listed", async ({
  page,
}) => {
  await page.setViewportSize({ width: 360, height: 800 });
  await signedIn(page);
  await withCart(page, { [MUG]: 1 });
  await openCheckout(page);
  await choice(page, "Division").selectOption("Dhaka");
  await choice(page, "District").selectOption("Gazipur");
  await expect(page.locator("datalist option[value='Sreepur']")).toHaveCount(1);
  await field(page, "Upazila or thana").fill("Sreepur");
  expect(await smallTargets(page)).toEqual([]);
  await choice(page, "Division").selectOption("Khulna");
  await expect(choice(page, "District")).toHaveValue("");
  await choice(page, "District").selectOption("Jashore");
  await expect(field(page, "Upazila or thana")).toHaveValue("");
  await field(page, "Upazila or thana").fill("New thana");
  await field(page, "Street address").fill("House 1");
  await phone(page).fill("01712345678");
  await placeOrder(page).click();
  await expectCompleted(page);
  const [order] = (await listOrders(page)) as [ListedOrder];
  expect(order.address).toBe("House 1\nNew thana\nJashore");
});

test("an address from before has its text in the lines", async ({ page }) => {
  await signedIn(page);
  const headers = { authorization: `Bearer ${await accessToken(page)}` };
  const text = "House 12\nRoad 5\nDhanmondi\nDhaka 1205";
  const before = { name: "Mina Das", phone: "01712345678", address: text };
  const answer = await page.request.post("/api/addresses", { headers, data: before });
  expect(await answer.json()).toMatchObject([
    { address: text, parts: null } satisfies Partial<Address>,
  ]);
  await withCart(page, { [MUG]: 1 });
  await openCheckout(page);
  await expect(field(page, "Street address")).toHaveValue(
    "House 12\nRoad 5\nDhanmondi, Dhaka 1205",
  );
  await expect(choice(page, "Country")).toHaveValue("BD");
  await expect(choice(page, "Division")).toHaveValue("");
});

test.describe("without an answer", () => {
  test.use({ allowedErrors: [/net::ERR_FAILED/] });

  test("the fields of a country are loaded again, and once", async ({ page }) => {
    await signedIn(page);
    await withCart(page, { [MUG]: 1 });
    await openCheckout(page);
    await writeDhanmondi(page);
    await page.route("**/api/countries/US", (route) => route.abort(), { times: 1 });
    await choice(page, "Country").selectOption("US");
    const failed = page.getByRole("alert").filter({ hasText: "could not be loaded" });
    await expect(failed).toBeVisible();
    await phone(page).fill("01712345678");
    await placeOrder(page).click();
    const retry = failed.getByRole("button");
    await expect(retry).toBeFocused();
    await retry.click();
    await expect(field(page, "Street address")).toHaveValue("House 12, Road 5");
    await expect(failed).toHaveCount(0);
    // The present fields stay while those of another country are loading; known ones show at once.
    const load = await holdRequests(page, "**/api/countries/*");
    await choice(page, "Country").selectOption("BD");
    await expect(choice(page, "Division")).toBeEnabled();
    await load();
  });
});

test.describe("in Bangla", () => {
  test.use({ allowedErrors: [/\b400\b/], extraHTTPHeaders: { "accept-language": "bn" } });

  test("divisions, districts and thanas have their names", { tag: "@database" }, async ({
    page,
  }) => {
    const { addresses, checkout, orders } = bn;
    const email = newEmail();
    await newCustomer(page, email, "মিনা দাস");
    await signInAt(page, "/bn/account/profile", email);
    await withCart(page, { [MUG]: 1 });
    await openPage(page, "/bn/cart?step=checkout");
    const billing = page.getByRole("region", { name: checkout.billingDetails });
    const order = page.getByRole("button", { name: checkout.placeOrder });
    await expect(choice(billing, addresses.country).locator("option")).toHaveText([
      "বাংলাদেশ",
      "মার্কিন যুক্তরাষ্ট্র",
    ]);
    await choice(billing, addresses.division).selectOption({ label: "ঢাকা" });
    await choice(billing, addresses.district).selectOption({ label: "ঢাকা" });
    const thana = field(billing, addresses.upazila);
    await expect(billing.locator("datalist option[value='ধানমন্ডি']")).toHaveCount(1);
    await order.click();
    await expect(thana).toHaveAccessibleDescription(
      addresses.required.replace("{label}", addresses.upazila),
    );
    await thana.fill("ধানমন্ডি");
    await field(billing, addresses.lines).fill("বাড়ি ১২, রোড ৫");
    const postcode = field(billing, addresses.optional.replace("{label}", addresses.postal));
    await postcode.fill("১২");
    await field(billing, checkout.phone).fill("০১৭১২-৩৪৫৬৭৮");
    await order.click();
    await expect(postcode).toHaveAccessibleDescription(/: [০-৯]{4}$/);
    await expect(postcode).toBeFocused();
    expect(await latinWordsIn(billing, [email])).toEqual([]);
    await inBothThemes(page, "the checkout in Bangla");
    await postcode.fill("১২০৫");
    await order.click();
    await expect(page).toHaveURL(/\/bn\/cart\?step=completed$/);
    const [placed] = (await listOrders(page)) as [ListedOrder];
    expect(placed).toMatchObject({ postalAddress: { district: "Dhaka", city: "Dhanmondi" } });
    await openPage(page, `/bn/account/orders/${placed.number}`);
    const shown = deliveryAddress(page, orders.deliveryAddress);
    expect(await lines(shown)).toMatch(/^বাড়ি ১২, রোড ৫\nধানমন্ডি\nঢাকা - /);

    // A stored key is shown by its name.
    await withCart(page, { [MUG]: 1 });
    await openPage(page, "/bn/cart?step=checkout");
    await expect(thana).toHaveValue("ধানমন্ডি");
    await expect(choice(billing, addresses.division)).toHaveValue("Dhaka");
  });
});
