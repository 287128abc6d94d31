// Customers: signing in and ordering in the browser, and by the API where only the result counts.
import type { APIRequestContext, Page } from "@playwright/test";
import type {
  ListedOrder,
  PaymentProvider,
  PlacedOrder,
  ProductWithVariants,
  Quote,
  Variant,
} from "../src/lib/api.gen";
import { accessToken, callIdentity } from "./identity";
import { hydrated } from "./locators";
import { expect } from "./shop";

export const PASSWORD = "Market#1";
export const PHONE = "+880 1700 000 000";
export const ADDRESS = "House 12, Road 5\nDhanmondi, Dhaka 1205";

let people = 0;
export const newEmail = () => `mina-${Date.now()}-${++people}@example.com`;

export type Wanted = Record<string, number>;

// Registers by the identity service, which is faster than the form; then signs in by the form.
export async function signedIn(page: Page, to = "/", email = newEmail()): Promise<string> {
  await newCustomer(page, email);
  await page.goto(`/login?from=${encodeURIComponent(to)}`);
  await hydrated(page);
  await signIn(page, email);
  return email;
}

export async function signIn(page: Page, email: string): Promise<void> {
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password").fill(PASSWORD);
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(page).not.toHaveURL(/\/login/);
}

// A registered customer. Returns the access token.
export async function newCustomer(page: Page, email = newEmail(), name = "Mina Das") {
  const credentials = { email, password: PASSWORD, displayName: name, returnSecureToken: true };
  const { idToken = "" } = await callIdentity(page, "v1/accounts:signUp", credentials);
  const headers = { authorization: `Bearer ${idToken}` };
  await page.request.post("/api/user", { headers, data: { name, email } });
  const answer = await page.request.get(`/api/user/jwt?email=${encodeURIComponent(email)}`, {
    headers,
  });
  return ((await answer.json()) as { accessToken: string }).accessToken;
}

let carts = 0;

// Fills the cart of the page that is opened next, before its code runs: what the present page is about
// to hear from the server would overwrite it. The lines are as carts had them before there were variants:
// a product's id is that of its default variant.
export async function withCart(page: Page, wanted: Wanted): Promise<void> {
  const lines = await Promise.all(
    Object.entries(wanted).map(async ([id, qtn]) => {
      const { _id, name, img, buyPrice } = await product(page.request, id);
      return { _id, name, img: img.slice(0, 1), buyPrice, qtn };
    }),
  );
  const cart = { once: `cart-${++carts}`, value: lines };
  await page.addInitScript(({ once, value }) => {
    if (sessionStorage.getItem(once) !== null) return;
    sessionStorage.setItem(once, "filled");
    localStorage.setItem("haat.cart", JSON.stringify({ version: 1, value }));
  }, cart);
}

export async function product(
  request: APIRequestContext,
  id: string,
): Promise<ProductWithVariants> {
  return (await request.get(`/api/products/${id}`)).json() as Promise<ProductWithVariants>;
}

// The variant with this value, or the default one.
export async function variant(
  request: APIRequestContext,
  id: string,
  value?: string,
): Promise<Variant> {
  const { variants } = await product(request, id);
  const found = variants.find(({ _id, options }) =>
    value === undefined ? _id === id : Object.values(options).includes(value),
  );
  if (found === undefined) throw new Error(`${id} has no variant ${value ?? id}`);
  return found;
}

// A product in the format of `haat import`, with its own price for all variants, and this stock of each
// where it is given.
export function importRow(one: ProductWithVariants, stock?: number) {
  const { _id, category, name, sku, brand, img, realPrice, fullDescription, tags } = one;
  const { productType, attributes, unitsSold } = one;
  return {
    ...{ _id, category, name, sku, brand, img, realPrice, fullDescription, tags },
    ...{ productType, attributes, unitsSold },
    options: one.options.map(({ name, values }) => ({ name, values })),
    variants: one.variants.map(({ sku, options, qtn }) => ({ sku, options, qtn: stock ?? qtn })),
  };
}

export const phone = (page: Page) => page.getByRole("textbox", { name: "Phone" });
export const address = (page: Page) => page.getByRole("textbox", { name: "Address", exact: true });
export const placeOrder = (page: Page) => page.getByRole("button", { name: "Place Order" });
export const amount = (page: Page, name: string) =>
  page
    .getByRole("region", { name: "Your order" })
    .locator("div", { has: page.locator("dt", { hasText: new RegExp(`^${name}$`) }) })
    .locator("dd");

// Opens the checkout and waits for the form and the amounts.
export async function openCheckout(page: Page, url = "/cart?step=checkout"): Promise<void> {
  await page.goto(url);
  await hydrated(page);
  await expect(amount(page, "Total")).toHaveText(/\d/);
  await expect(page.getByRole("radio", { name: /^Cash on delivery/ })).toBeChecked();
}

export async function fillIn(page: Page): Promise<void> {
  await phone(page).fill(PHONE);
  await address(page).fill(ADDRESS);
}

export async function expectCompleted(page: Page): Promise<string> {
  await expect(page).toHaveURL(/\/cart\?step=completed$/);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Your Order Has Been Completed");
  const number = page.getByText(/^[\dA-Z]{4}-[\dA-Z]{4}$/);
  return (await number.textContent()) ?? "";
}

export async function listOrders(page: Page): Promise<ListedOrder[]> {
  const headers = { authorization: `Bearer ${await accessToken(page)}` };
  return (await page.request.get("/api/orders", { headers })).json() as Promise<ListedOrder[]>;
}

// The account's id, by which `haat credit` names a customer whose address is not verified.
export function accountId(accessToken: string): string {
  const claims = Buffer.from(accessToken.split(".")[1] ?? "", "base64url").toString();
  return (JSON.parse(claims) as { sub: string }).sub;
}

// Places an order by the API, paid with so much store credit.
export async function buy(
  page: Page,
  token: string,
  wanted: Wanted,
  spent: number | "all" = 0,
  payment: PaymentProvider = "cash_on_delivery",
): Promise<PlacedOrder> {
  const lines = Object.entries(wanted).map(([_id, qtn]) => ({ _id, qtn }));
  const quote = await page.request.post("/api/quote", { data: { lines } });
  const { total } = (await quote.json()) as Quote;
  const credit = spent === "all" ? total : spent;
  const answer = await page.request.post("/api/orders", {
    headers: { authorization: `Bearer ${token}` },
    data: { name: "Mina Das", phone: PHONE, address: ADDRESS, lines, total, credit, payment },
  });
  expect(answer.status(), await answer.text()).toBe(201);
  return (await answer.json()) as PlacedOrder;
}

// The address of the payment page of a new order, which is to be paid by card.
export async function unpaidOrder(page: Page): Promise<string> {
  const token = await newCustomer(page);
  const { next } = await buy(page, token, { "marl-stoneware-mug": 1 }, 0, "card");
  if (next === null) throw new Error("an order by card waits for its payment");
  return next.payUrl;
}
