// Search, wishlist, reviews, checkout and orders in Bangla.
import type { Page } from "@playwright/test";
import { banglaDigits, bn, cartIcon, heading, openPage, say, signIn, signInAt } from "./bangla";
import { expectBangla, latinWordsIn } from "./bangla-texts";
import { accountId, buy, newCustomer, newEmail, PHONE, withCart } from "./customer";
import { firstProduct } from "./locators";
import { expect, test } from "./shop";

const CUSTOMER = "মিনা দাস";
const MUG = "marl-stoneware-mug";
const LAMP = "moonseed-globe-lamp";
// No other test reviews it.
const REVIEWED = "lintel-desk-radio";

// So that orders by the API are in Bangla, too, with the notes in their history.
test.use({ extraHTTPHeaders: { "accept-language": "bn" } });

const { checkout, common, orders, reviews, search, wishlist } = bn;

const dialog = (page: Page) => page.getByRole("dialog");
const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click();
const expectText = (page: Page, text: string) =>
  expect(page.getByText(text, { exact: true })).toBeVisible();

test("filters, sorting and pages of a search, and one without a result", async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await openPage(page, "/bn/category/audio");
  const filters = page.getByRole("complementary", { name: search.filters });
  const chips = page.getByRole("list", { name: search.activeFilters });
  await filters.getByRole("checkbox", { name: /^কালি নীল/ }).check();
  await expect(page).toHaveURL(/\/bn\/category\/audio\?colour=Ink$/);
  await expect(chips).toContainText("কালি নীল");
  await filters.getByRole("checkbox", { name: new RegExp(`^${common.inStock}`) }).check();
  await expect(page).toHaveURL(/\?colour=Ink&stock=in$/);
  await page.getByLabel(common.sortBy).selectOption("price-asc");
  await page.getByRole("combobox", { name: search.show, exact: true }).selectOption("2");
  await expect(page).toHaveURL(/\?colour=Ink&stock=in&sort=price-asc&size=2$/);
  await page.getByRole("link", { name: bn.ui.nextPage }).click();
  await expect(page).toHaveURL(/&page=2$/);
  await expectBangla(page, "the second page of results");
  await page.goBack();
  await chips.getByRole("link", { name: search.clearAll }).click();
  await expect(page).toHaveURL(/\/bn\/category\/audio\?sort=price-asc&size=2$/);

  const field = page.getByRole("combobox", { name: search.searchFor });
  await field.fill("ঞঞঝঝঞঞ");
  await field.press("Enter");
  const main = page.getByRole("main");
  await expect(main.getByRole("heading", { name: search.nothingFound })).toBeVisible();
  await expect(main.getByRole("region", { name: search.popular })).toContainText("$");
  await expectBangla(page, "a search without a result");
  await main.getByRole("link", { name: search.allProducts }).click();
  await expect(page).toHaveURL(/\/bn\/search$/);
  await openPage(page, "/bn/category/audio?max=1");
  await expect(main.getByRole("heading", { name: search.nothingFitsAll })).toBeVisible();
  await main.getByRole("link", { name: search.clearAllFilters }).click();
  await expect(page).toHaveURL(/\/bn\/category\/audio$/);
  await expect(firstProduct(page)).toBeVisible();
});

test("a guest's wishlist joins the account, is shared, and moves to the cart", async ({ page }) => {
  const email = newEmail();
  await newCustomer(page, email, CUSTOMER);
  await openPage(page, `/bn/product/${MUG}`);
  const name = (await heading(page).textContent()) ?? "";
  const heart = page.getByRole("button", { name: say(wishlist.addNamed, { name }) }).first();
  await heart.click();
  await expect(heart).toHaveAttribute("aria-pressed", "true");
  await openPage(page, "/bn/wishlist");
  await expect(page.getByText(wishlist.onlyInBrowser)).toBeVisible();
  await page.getByRole("main").getByRole("link", { name: common.signIn }).click();
  await signIn(page, email);
  await expect(page).toHaveURL(/\/bn\/wishlist$/);
  await press(page, wishlist.shareByLink);
  const link = page.getByRole("main").getByRole("link", { name: /\/bn\/wishlist\/[\da-f]{32}$/ });
  const address = (await link.textContent()) ?? "";
  await page.getByRole("button", { name: /^কার্টে নিন/ }).click();
  const filled = say(bn.layout.nameWithItems, { name: common.cart, count: 1 });
  await expect(cartIcon(page)).toHaveAccessibleName(filled);
  await expect(page.getByText(wishlist.nothingYet)).toBeVisible();
  await press(page, wishlist.stopSharing);
  await expectText(page, wishlist.linkStopped);
  const answer = await page.request.get(address);
  expect(answer.status()).toBe(404);
});

test("a buyer writes a review, changes and deletes it", async ({ page, cli }) => {
  const email = newEmail();
  const token = await newCustomer(page, email, CUSTOMER);
  await cli("credit", "grant", accountId(token), "1000", "--reason", "উপহার");
  await buy(page, token, { [REVIEWED]: 1 }, "all");
  const product = `/bn/product/${REVIEWED}`;
  await openPage(page, `/bn/login?from=${encodeURIComponent(`${product}#reviews`)}`);
  await signIn(page, email);
  const panel = page.getByRole("tabpanel", { name: bn.catalog.reviews });
  const form = panel.getByRole("form", { name: reviews.yours });
  const mine = panel.getByRole("article", { name: reviews.yours });
  await panel.getByRole("button", { name: reviews.write }).click();
  await form.getByRole("button", { name: reviews.send }).click();
  await expect(form.getByText(reviews.titleRequired)).toBeVisible();
  expect(await latinWordsIn(form)).toEqual([]);
  await form.getByRole("radio").nth(3).check();
  await form.getByRole("textbox", { name: reviews.title }).fill("সুরেলা");
  await form.getByRole("textbox", { name: reviews.body }).fill("রান্নাঘরে সারাদিন বাজে।");
  await form.getByRole("button", { name: reviews.send }).click();
  await expectText(page, reviews.thanks);
  await expect(mine).toContainText("রান্নাঘরে সারাদিন বাজে।");
  await expect(mine).toContainText(CUSTOMER);
  await mine.getByRole("button", { name: reviews.edit }).click();
  await form.getByRole("textbox", { name: reviews.title }).fill("বেশ সুরেলা");
  await form.getByRole("button", { name: reviews.saveChanges }).click();
  await expect(mine).toContainText(reviews.edited);
  expect(await latinWordsIn(mine)).toEqual([]);
  await mine.getByRole("button", { name: reviews.delete }).click();
  await page
    .getByRole("dialog", { name: reviews.deleteQuestion })
    .getByRole("button", { name: reviews.deleteYes })
    .click();
  await expect(mine).toHaveCount(0);
});

test("the checkout page, and the order tracked and cancelled", async ({ page }) => {
  const email = newEmail();
  await newCustomer(page, email, CUSTOMER);
  await withCart(page, { [MUG]: 1 });
  await openPage(page, "/bn/checkout");
  await page.getByRole("main").getByRole("link", { name: "লগ ইন করুন", exact: true }).click();
  await expect(page).toHaveURL(/\/bn\/login\?from=/);
  await signIn(page, email);
  await expect(page).toHaveURL(/\/bn\/checkout$/);
  await openPage(page, "/bn/checkout");
  const cash = page.getByRole("radio", { name: new RegExp(`^${common.cashOnDelivery}`) });
  await expect(cash).toBeChecked();
  const lastName = page.getByRole("textbox", { name: checkout.lastName });
  await lastName.fill("");
  await page.getByRole("textbox", { name: checkout.phone }).fill(banglaDigits(PHONE));
  await page.getByRole("textbox", { name: checkout.address, exact: true }).fill("খুলনা");
  await press(page, checkout.placeOrder);
  await expect(lastName).toHaveAccessibleDescription(checkout.lastNameRequired);
  await expectBangla(page, "the checkout page");
  await lastName.fill("সেন");
  await press(page, checkout.placeOrder);
  await expect(page).toHaveURL(/\/bn\/cart\?step=completed$/);
  const number = (await page.getByText(/^[\dA-Z]{4}-[\dA-Z]{4}$/).textContent()) ?? "";

  await openPage(page, `/bn/track?number=${number}`);
  // Filled in when the sign-in is restored.
  await expect(page.getByRole("textbox", { name: orders.emailOrPhone })).toHaveValue(email);
  await page.getByRole("button", { name: orders.track, exact: true }).click();
  await expect(page.getByRole("heading", { name: orders.placed, exact: true })).toBeFocused();
  await expectBangla(page, "the tracked order");
  await openPage(page, `/bn/account/orders/${number}`);
  await press(page, orders.cancelOrder);
  await dialog(page).getByLabel(orders.why).fill("ঘরেই পেয়েছি");
  expect(await latinWordsIn(dialog(page))).toEqual([]);
  await press(page, orders.cancelYes);
  await expect(page.getByText(orders.cancelledText).first()).toBeVisible();
  await expectBangla(page, "the cancelled order");
});

test("a part of a delivered order is returned", async ({ page, cli }) => {
  const email = newEmail();
  const token = await newCustomer(page, email, CUSTOMER);
  const { number } = await buy(page, token, { [MUG]: 2, [LAMP]: 1 });
  for (let step = 0; step < 4; step++) await cli("orders", "advance", number);
  await signInAt(page, `/bn/account/orders/${number}`, email);
  await expect(page.getByText(orders.deliveredText).first()).toBeVisible();
  await press(page, orders.returnItems);
  await press(page, orders.returnYes);
  await expect(dialog(page).getByRole("alert")).toHaveText(orders.chooseReturn);
  expect(await latinWordsIn(dialog(page))).toEqual([]);
  await dialog(page).getByRole("checkbox", { name: "মগ" }).check();
  await dialog(page).getByRole("combobox", { name: "মগ" }).selectOption({ index: 0 });
  await press(page, orders.returnYes);
  await expect(page.getByText(orders.returnRequestedText).first()).toBeVisible();
  for (let step = 0; step < 2; step++) await cli("orders", "advance", number);
  await page.reload();
  await expect(page.getByText(orders.partlyRefunded, { exact: true }).first()).toBeVisible();
  // Its address and phone number were typed in English.
  expect(await latinWordsIn(page.locator("main"), TYPED)).toEqual([]);
});

const TYPED = ["Mina", "Das", "House", "12", "Road", "5", "Dhanmondi", "Dhaka", "1205"];
