// The shop in Bangla: choosing the language, searching, buying, an account, and what the browser loads.
import type { BrowserContext, Locator, Page } from "@playwright/test";
import { latinWords } from "../test/latin-words";
import { expectAccessible, expectNoOverflow } from "./a11y";
import { banglaDigits, bn, cartIcon, header, heading, openPage, say, signIn } from "./bangla";
import { expectBangla, latinWordsIn } from "./bangla-texts";
import { listOrders, newCustomer, newEmail, PASSWORD, PHONE } from "./customer";
import { accessToken } from "./identity";
import { firstProduct, hydrated, isMarked, markWindow } from "./locators";
import { pdfText } from "./pdf";
import { expect, test } from "./shop";

const MUG = "/bn/product/marl-stoneware-mug";
const CUSTOMER = "মিনা দাস";
const ADDRESS = "বাড়ি ১২, সড়ক ৫\nধানমন্ডি, ঢাকা ১২০৫";

// The name of the device in the profile.
const DEVICE = ["Chrome", "Linux"];

const languageLink = (part: Locator, name: string) => part.getByRole("link", { name, exact: true });
const language = (page: Page) => page.locator("html").getAttribute("lang");
const offer = (page: Page) => page.getByRole("complementary", { name: bn.language.name });

async function chosen(context: BrowserContext): Promise<string | undefined> {
  return (await context.cookies()).find(({ name }) => name === "language")?.value;
}

test("the switch leads to the same page in the other language, and is remembered", async ({
  page,
  context,
}) => {
  await openPage(page, "/category/audio?view=list");
  await languageLink(header(page), "বাংলা").click();
  await expect(page).toHaveURL(/\/bn\/category\/audio\?view=list$/);
  await expect(heading(page)).toHaveText("অডিও");
  expect(await language(page)).toBe("bn");
  expect(await chosen(context)).toBe("bn");

  // Its links lead to pages in Bangla, without loading a document.
  await hydrated(page);
  await markWindow(page);
  await firstProduct(page).click();
  await expect(page).toHaveURL(/\/bn\/product\//);
  expect(await isMarked(page)).toBe(true);
  const product = new URL(page.url()).pathname;
  await page.goBack();
  await expect(heading(page)).toHaveText("অডিও");
  await page.goForward();
  await expect(heading(page)).not.toHaveText("অডিও");

  await languageLink(page.locator("footer"), "English").click();
  await expect(page).toHaveURL(new RegExp(`${product.replace("/bn/", ":\\d+/")}$`));
  expect(await language(page)).toBe("en");
  expect(await chosen(context)).toBe("en");
  await page.goBack();
  await expect(page).toHaveURL(new RegExp(`${product}$`));
  expect(await language(page)).toBe("bn");
});

test.describe("a browser that prefers Bangla", () => {
  test.use({ locale: "bn-BD" });

  test("is offered the page in Bangla, once, and never redirected", async ({ page, context }) => {
    const answer = await page.goto("/about");
    expect(answer?.request().redirectedFrom()).toBeNull();
    await hydrated(page);
    await expect(offer(page)).toContainText(bn.language.offer);
    await expect(page).toHaveURL(/:\d+\/about$/);
    expect(await language(page)).toBe("en");
    await expectAccessible(page, "the offer");
    await page.setViewportSize({ width: 360, height: 720 });
    await expectNoOverflow(page, "the offer");

    await offer(page).getByRole("link", { name: bn.language.accept }).click();
    await expect(page).toHaveURL(/\/bn\/about$/);
    expect(await language(page)).toBe("bn");
    expect(await chosen(context)).toBe("bn");
    await hydrated(page);
    await expect(offer(page)).toHaveCount(0);

    // An address in English stays in English.
    await page.goto("/about");
    expect(await language(page)).toBe("en");
  });

  for (const address of ["/track?number=ABCD-2345", "/newsletter/confirm?token=a%2Fb"])
    test(`is offered ${address} with its query`, async ({ page }) => {
      await openPage(page, address);
      const link = offer(page).getByRole("link", { name: bn.language.accept });
      await link.focus();
      await expect(link).toHaveAttribute("href", `/bn${address}`);
      await link.click();
      await page.waitForURL(`/bn${address}`);
      await languageLink(page.locator("footer"), "English").click();
      await page.waitForURL(address);
    });

  test("and its visitor declines, is not asked again", async ({ page, context }) => {
    await openPage(page, "/");
    await offer(page).getByRole("button", { name: bn.language.dismiss }).click();
    await expect(offer(page)).toHaveCount(0);
    expect(await chosen(context)).toBe("en");
    await openPage(page, "/about");
    await page.waitForLoadState("networkidle");
    await expect(offer(page)).toHaveCount(0);
  });
});

test("a search in Bangla, with a typing error, leads to a product", async ({ page }) => {
  await openPage(page, "/bn");
  const field = page.getByRole("combobox", { name: bn.search.searchFor });
  await field.fill("হেডফো");
  const suggestions = page.getByRole("listbox", { name: bn.search.suggestions });
  await expect(suggestions.getByRole("option").first()).toBeVisible();
  await expect(suggestions).toContainText("হেডফোন");
  expect(await latinWordsIn(suggestions)).toEqual([]);
  await field.fill("হেডফন");
  await field.press("Enter");
  await expect(page).toHaveURL(/\/bn\/search\?q=/);
  await expect(heading(page)).toHaveText(say(bn.search.resultsFor, { query: "হেডফন" }));
  await expect(firstProduct(page)).toHaveText(/হেডফোন/);

  const filters = page.getByRole("complementary", { name: bn.search.filters });
  await filters.getByLabel(bn.search.to, { exact: true }).fill("৪০০");
  await page.keyboard.press("Tab");
  await expect(page).toHaveURL(/&max=400/);
  await expect(page.getByRole("list", { name: bn.search.activeFilters })).toContainText("$৪০০");
  const name = (await firstProduct(page).textContent()) ?? "";
  await firstProduct(page).click();
  await expect(page).toHaveURL(/\/bn\/product\//);
  await expect(heading(page)).toHaveText(name);
});

test("amounts in taka have Bangla digits and lakh", async ({ page }) => {
  await openPage(page, "/bn/category/audio?min=100");
  await page.getByLabel(bn.layout.currency).selectOption("BDT");
  await expect(page).toHaveURL(/\/bn\/category\/audio$/);
  const filters = page.getByRole("complementary", { name: bn.search.filters });
  const price = filters.getByRole("group", { name: say(bn.search.price, { currency: "৳" }) });
  await price.getByLabel(bn.search.to, { exact: true }).fill("১০০০০০");
  await page.keyboard.press("Tab");
  await expect(page).toHaveURL(/\?max=100000$/);
  const chips = page.getByRole("list", { name: bn.search.activeFilters });
  await expect(chips).toContainText(say(bn.search.priceUpTo, { max: "৳১,০০,০০০" }));
  await expect(page.locator("main")).not.toContainText("$");
  await expectBangla(page, "a list in taka");
});

test("words of a Bangla name in Latin letters find the product", async ({ page }) => {
  await openPage(page, "/bn/search?q=ghori");
  await expect(firstProduct(page)).toHaveText(/ঘড়ি/);
});

test("from the product to the completed order and its invoice", { tag: "@database" }, async ({
  page,
}) => {
  test.slow();
  const email = newEmail();
  await newCustomer(page, email, CUSTOMER);
  await openPage(page, MUG);
  const quantity = page
    .locator("main")
    .getByRole("spinbutton", { name: new RegExp(bn.cart.quantity) });
  await quantity.fill("১২");
  await page.getByRole("button", { name: bn.common.addToCart }).first().click();
  await expect(page.getByText(bn.cart.added)).toBeVisible();
  const twelve = say(bn.layout.nameWithItems, { name: bn.common.cart, count: 12 });
  await expect(cartIcon(page)).toHaveAccessibleName(twelve);
  await cartIcon(page).click();
  await page.getByRole("dialog").getByRole("link", { name: bn.cart.viewCart }).click();
  await expect(page).toHaveURL(/\/bn\/cart$/);
  await expect(quantity).toHaveValue("১২");
  await quantity.fill("৩");
  await expect(cartIcon(page)).toHaveAccessibleName(twelve.replace("১২", "৩"));
  await expect(page.locator("main")).toContainText("$৫৪.০০");

  await page.getByRole("link", { name: bn.cart.loginFirst }).click();
  await expect(page).toHaveURL(/\/bn\/login\?from=/);
  await signIn(page, email);
  await expect(page).toHaveURL(/\/bn\/cart\?step=checkout$/);
  await page.reload();
  await hydrated(page);
  const cash = page.getByRole("radio", { name: new RegExp(`^${bn.common.cashOnDelivery}`) });
  await expect(cash).toBeChecked();
  await page.getByRole("textbox", { name: bn.checkout.phone }).fill(banglaDigits(PHONE));
  const address = page.getByRole("textbox", { name: bn.checkout.address, exact: true });
  await address.fill(ADDRESS);
  await page.setViewportSize({ width: 360, height: 800 });
  await expectNoOverflow(page, "the checkout");
  await expectAccessible(page, "the checkout");
  await expectBangla(page, "the checkout");
  await page.getByRole("button", { name: bn.checkout.placeOrder }).click();
  await expect(page.getByRole("dialog")).toHaveAccessibleName(bn.checkout.done);

  await expect(page).toHaveURL(/\/bn\/cart\?step=completed$/);
  await expect(heading(page)).toHaveText(bn.checkout.completed);
  const number = (await page.getByText(/^[\dA-Z]{4}-[\dA-Z]{4}$/).textContent()) ?? "";
  await expectNoOverflow(page, "the completed order");
  await expectBangla(page, "the completed order");
  const [order] = await listOrders(page);
  expect(order).toMatchObject({ number, name: CUSTOMER, phone: PHONE, address: ADDRESS });
  expect(latinWords(await orderEmail(page, email, number))).toEqual([]);

  await page.getByRole("link", { name: bn.checkout.seeOrder }).click();
  await expect(page).toHaveURL(new RegExp(`/bn/account/orders/${number}$`));
  await expect(heading(page)).toHaveText(bn.account.orderNumber.replace("{number}", number));
  await expect(page.getByText(bn.orders.placedText).first()).toBeVisible();
  await expectBangla(page, "the order");
  // The number is known to the browser only.
  await languageLink(header(page), "English").click();
  await expect(page).toHaveURL(new RegExp(`:\\d+/account/orders/${number}$`));
  await page.goBack();
  await expect(heading(page)).toHaveText(bn.account.orderNumber.replace("{number}", number));
  await page.getByRole("button", { name: bn.orders.invoice }).click();
  const invoice = page.getByRole("article", { name: number });
  await expect(invoice).toContainText("$৫৪.০০");
  await expect(invoice).toContainText(CUSTOMER);
  expect(await latinWordsIn(page.getByRole("dialog"))).toEqual([]);
  await expectAccessible(page, "the invoice");
  const saved = page.waitForEvent("download");
  await page.getByRole("button", { name: bn.orders.download }).click();
  // pdf.js does not read ActualText: conjuncts come out as digits and signs there.
  const inPdf = latinWords(await pdfText(await (await saved).path()));
  expect(inPdf.filter((word) => /[A-Za-z]/.test(word))).toEqual([]);
  await page.keyboard.press("Escape");

  await accountTab(page, bn.account.purchaseHistory).click();
  await expect(page).toHaveURL(/\/bn\/account\/orders$/);
  const row = page.getByRole("row", { name: number });
  await expect(row).toContainText(bn.orders.placed);
  await expect(row).toContainText(/\$২১৪\.০০/);
  await expectBangla(page, "the history");
  for (const [tab, loaded] of [
    ["dashboard", bn.orders.recentOrders],
    ["storeCredit", bn.credit.none],
    ["manageProfile", bn.account.thisDevice],
  ] as const) {
    await accountTab(page, bn.account[tab]).click();
    await expect(heading(page)).toHaveText(bn.account[tab]);
    await expect(page.getByText(loaded)).toBeVisible();
    await expectNoOverflow(page, tab);
    await expectAccessible(page, tab);
    await expectBangla(page, tab, DEVICE);
  }
});

const accountTab = (page: Page, name: string) =>
  page.getByRole("navigation", { name: bn.account.yourAccount }).getByRole("link", { name });

// The text of the e-mail about an order.
async function orderEmail(page: Page, to: string, number: string): Promise<string> {
  const found = async () => {
    const list = await (await page.request.get("/dev/mail")).text();
    const about = list.split("<li>").filter((item) => item.includes(`to ${to},`));
    return /href="([^"]+)"/.exec(about.find((item) => item.includes(number)) ?? "")?.[1] ?? "";
  };
  await expect.poll(found).not.toBe("");
  const html = await (await page.request.get(await found())).text();
  return html.replace(/<style.*?<\/style>|<[^>]+>|&#?\w+;/gs, " ");
}

test.describe("an account", () => {
  // The refused sign-in is a 400, which the browser logs.
  test.use({ allowedErrors: [/\b400\b/] });

  test("is registered, signed out and signed in again", { tag: "@database" }, async ({ page }) => {
    const email = newEmail();
    await openPage(page, "/bn/register");
    await page.getByRole("button", { name: bn.auth.register, exact: true }).click();
    await expect(page.getByText(bn.auth.nameRequired)).toBeVisible();
    await page.getByLabel(bn.auth.name).fill(CUSTOMER);
    await page.getByLabel(bn.auth.email).fill(email);
    await page.getByLabel(bn.auth.password, { exact: true }).fill(PASSWORD);
    await expectBangla(page, "the registration");
    await page.getByRole("button", { name: bn.auth.register, exact: true }).click();
    await expect(page.getByText(bn.auth.userCreated)).toBeVisible();
    await expect(page).toHaveURL(/\/bn$/);
    await expect(header(page).getByText(CUSTOMER)).toBeVisible();

    await page.getByRole("button", { name: bn.account.logOut }).click();
    const signInLink = header(page).getByRole("link", { name: bn.common.signIn });
    await expect(signInLink).toBeVisible();
    await expect.poll(() => accessToken(page)).toBeNull();
    await openPage(page, MUG);
    await signInLink.click();
    await expect(page).toHaveURL(/\/bn\/login\?from=/);
    await signIn(page, email, "Wrong#123");
    const password = page.getByLabel(bn.auth.password, { exact: true });
    await expect(password).toHaveAccessibleDescription(bn.auth.noMatch);
    await expect(password).toBeFocused();
    await signIn(page, email);
    await expect(page).toHaveURL(new RegExp(`${MUG}$`));
    await expect(header(page).getByText(CUSTOMER)).toBeVisible();
  });

  test("is asked for at its pages, in Bangla", async ({ page }) => {
    await page.goto("/bn/account/orders");
    await expect(page).toHaveURL(/\/bn\/login\?from=/);
    await expect(heading(page)).toHaveText(bn.auth.welcomeBack);
  });
});

test.describe("a missing page", () => {
  test.use({ allowedErrors: [/\b404\b/] });

  for (const address of ["/bn/no-such-page", "/bn/product/no-such-product"]) {
    test(`${address} says so in Bangla, and links home`, async ({ page }) => {
      expect((await page.goto(address))?.status()).toBe(404);
      await expect(heading(page)).toHaveText(bn.layout.nothingHere);
      const english = languageLink(page.locator("footer"), "English");
      await hydrated(page);
      await english.focus();
      await expect(english).toHaveAttribute("href", address.replace("/bn", ""));
      await page.getByRole("link", { name: bn.common.backToShop }).click();
      await expect(page).toHaveURL(/\/bn$/);
    });
  }
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("forms and links stay in Bangla", async ({ page }) => {
    await page.goto(MUG);
    await page.getByLabel(bn.layout.currency).selectOption("BDT");
    await page.getByRole("button", { name: bn.layout.change }).click();
    await expect(page).toHaveURL(new RegExp(`${MUG}$`));
    await expect(page.locator("main")).toContainText("৳২,১৬৯");
    await expect(page.locator("main")).not.toContainText("$");

    await page.getByRole("combobox", { name: bn.search.searchFor }).fill("ল্যাম্প");
    await page.getByRole("search").getByRole("button", { name: bn.common.search }).click();
    await expect(page).toHaveURL(/\/bn\/search\?/);
    await expect(firstProduct(page)).toHaveText(/ল্যাম্প/);

    const footer = page.locator("footer");
    await footer.getByLabel(bn.forms.emailAddress).fill(newEmail());
    await footer.getByRole("button", { name: bn.forms.subscribe }).click();
    await expect(page).toHaveURL(/\/bn\/newsletter\/sent$/);
    await expect(heading(page)).toHaveText(bn.forms.almostThere);

    await languageLink(header(page), "English").click();
    await expect(page).toHaveURL(/:\d+\/newsletter\/sent$/);
  });
});
