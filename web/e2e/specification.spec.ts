// What the specification lists, page by page, where no other test covers it. docs/spec-coverage.md
// maps its sentences to tests.
import { hydrated } from "./locators";
import { expect, test } from "./shop";

test("a card has what the specification lists", async ({ page }) => {
  await page.goto("/");
  await hydrated(page);
  const card = page
    .getByRole("region", { name: "Products", exact: true })
    .locator("li:has(h3)", { hasText: "Harrow 14 Laptop" });
  await expect(card.getByRole("img").first()).toHaveAccessibleName(/laptop/i);
  await expect(card.locator("s, del")).toHaveText(/\$1,290\.00$/);
  await expect(card).toContainText("$1,149.00");
  await expect(card.getByRole("img", { name: /^Rated [\d.]+ out of 5$/ })).toBeVisible();
  await card.hover();
  for (const name of [/^Choose options/, /wishlist$/, /^Quick view/]) {
    await expect(card.getByRole("button", { name })).toBeVisible();
  }
  const view = card.getByRole("link", { name: /^View / });
  await expect(view).toHaveAttribute("href", "/product/harrow-14-laptop");
});

test("a category's list has what the specification lists", async ({ page }) => {
  await page.goto("/category/audio");
  await expect(page.getByText("Shop Page")).toBeVisible();
  await expect(page.getByLabel("Sort by").locator("option")).toHaveText([
    "Default",
    "Price low to high",
    "Price high to low",
    "Best match",
    "Relevance",
  ]);
  await expect(page.getByLabel("Show").locator("option")).toHaveText(["2", "16", "20", "24"]);
  const filters = page.getByRole("complementary", { name: "Filters" });
  for (const name of ["Brand", "Price", "Colour", "New arrivals"]) {
    await expect(filters.getByRole("group", { name })).toBeVisible();
  }
  await expect(page.getByRole("list", { name: "View" }).getByRole("link")).toHaveCount(2);
  await expect(page.getByText(/^Page 1 of \d+$/)).toBeVisible();
});

test("a product says what the specification lists", async ({ page }) => {
  await page.goto("/product/harrow-14-laptop");
  await hydrated(page);
  const main = page.getByRole("main");
  await expect(main.getByRole("heading", { level: 1 })).toHaveText("Harrow 14 Laptop");
  await expect(main.locator("s, del").first()).toHaveText(/\$1,290\.00$/);
  await expect(main.getByRole("img", { name: /^Rated [\d.]+ out of 5$/ }).first()).toBeVisible();
  await expect(main.getByText(/^In stock/)).toBeVisible();
  const terms = main.getByRole("list", { name: "Delivery, returns and payment" });
  await expect(terms).toContainText("Delivery in 2–4 days for $40.00");
  await expect(terms).toContainText("Return it within 7 days of delivery, pay by cash on delivery");
  await expect(main.getByRole("definition").last()).toHaveText(/\w/);
  await expect(main.getByText("SKU")).toBeVisible();
  await expect(main.getByText("Tags", { exact: true })).toBeVisible();
  await expect(main.getByRole("tab")).toHaveText(["Description", "Information", "Reviews"]);
  await expect(main.getByRole("link", { name: "Send by e-mail" })).toBeVisible();
  // Three views, and its other colour.
  await expect(main.getByRole("link", { name: /^Picture \d:/ })).toHaveCount(4);
});

test("the content pages have what the specification lists", async ({ page }) => {
  const pages: [address: string, words: (string | RegExp)[]][] = [
    ["/about", [/^Welcome to/, "How can I pay?", "Where is my order?"]],
    ["/contact", ["Mon-Sat", "8:00am-5:00pm", "Closed", "hello@haat.example", /Dhaka/]],
    [
      "/privacy",
      [
        "Consent",
        "Information we collect",
        "Log files",
        "Cookies",
        "Advertising partners",
        "Your rights under the CCPA",
        "Your rights under the GDPR",
        "Children under 13",
        /within one month/,
      ],
    ],
    [
      "/terms_condition",
      ["Cookies", "Licence", "Comments", "Hyperlinking to us", "iFrames", "Liability", /2-3 weeks/],
    ],
    [
      "/refund",
      [
        /7 to 15 working days/,
        /Mobile banking/,
        /own shipping cost/,
        /delivery cost is non-refund/,
      ],
    ],
    ["/return", [/within 7 days of delivery/, /order number and the return tracking number/]],
  ];
  for (const [address, words] of pages) {
    await page.goto(address);
    for (const text of words) {
      await expect.soft(page.getByRole("main").getByText(text).first(), address).toBeAttached();
    }
  }
});

test("the auth pages, header and footer have what the specification lists", async ({ page }) => {
  await page.goto("/login");
  const next = page.getByRole("link", { name: "Register Now" });
  await expect(next).toHaveAttribute("href", /^\/register/);
  for (const name of [/Google/i, /Facebook/i]) {
    await expect(page.getByRole("button", { name })).toBeVisible();
  }
  await page.goto("/register");
  await expect(page.getByRole("link", { name: "Sign in" })).toHaveAttribute("href", /^\/login/);
  await page.goto("/signup");
  const main = page.getByRole("main");
  await expect(main.getByRole("link", { name: "Please Login" })).toHaveAttribute(
    "href",
    /^\/login/,
  );
  await expect(main.getByRole("button", { name: "CONTINUE WITH GOOGLE" })).toBeVisible();
  await expect(page.locator("header").getByRole("link", { name: "+880" })).toHaveAttribute(
    "href",
    "tel:+8801700000000",
  );
  const footer = page.locator("footer");
  await expect(footer).toContainText("Dhaka");
  await expect(footer.getByRole("link", { name: "hello@haat.example" })).toBeVisible();
  await expect(footer.getByText("Coming to")).toHaveCount(2);
});
