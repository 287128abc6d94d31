// Reviews: written, moderated, found helpful, and shown wherever the rating is.
import type { Browser, Page } from "@playwright/test";
import { expectAccessible, expectNoOverflow } from "./a11y";
import { accountId, buy, newCustomer, newEmail, signIn } from "./customer";
import { hydrated } from "./locators";
import { type Cli, expect, test } from "./shop";

// Each test has a product that no other test of this file reviews.
const CARAFE = "weir-glass-carafe";
const WALLET = "penny-card-wallet";
const NOTEBOOKS = "jotter-pocket-notebooks-set-of-three";

const panel = (page: Page) => page.getByRole("tabpanel", { name: "Reviews" });
const mine = (page: Page) => panel(page).getByRole("article", { name: "Your review" });
const form = (page: Page) => panel(page).getByRole("form", { name: "Your review" });
const review = (page: Page, title: string) =>
  panel(page).getByRole("article", { name: new RegExp(`^${title}, by`) });

// Paid at once with store credit: an unpaid order cannot be reviewed.
async function pay(page: Page, cli: Cli, token: string, product: string): Promise<void> {
  await cli("credit", "grant", accountId(token), "1000", "--reason", "A gift");
  await buy(page, token, { [product]: 1 }, "all");
}

// A customer who has bought it, signed in, by default at its reviews.
async function signedInBuyer(
  page: Page,
  cli: Cli,
  product: string,
  name: string,
  to = `/product/${product}#reviews`,
) {
  const email = newEmail();
  const token = await newCustomer(page, email, name);
  await pay(page, cli, token, product);
  await page.goto(`/login?from=${encodeURIComponent(to)}`);
  await hydrated(page);
  await signIn(page, email);
}

// The same by the API, with a review.
async function addReview(
  page: Page,
  cli: Cli,
  product: string,
  rating: number,
  title: string,
): Promise<void> {
  const token = await newCustomer(page, newEmail(), `Buyer ${rating}`);
  await pay(page, cli, token, product);
  const answer = await page.request.put(`/api/products/${product}/reviews/mine`, {
    headers: { authorization: `Bearer ${token}` },
    data: { rating, title, body: `What ${title} says.\n\nAnd one thing more.` },
  });
  expect(answer.status(), await answer.text()).toBe(200);
}

async function write(page: Page, stars: RegExp, title: string, text: string): Promise<void> {
  await form(page).getByRole("radio", { name: stars }).check();
  await form(page).getByRole("textbox", { name: "Title" }).fill(title);
  await form(page).getByRole("textbox", { name: "Review" }).fill(text);
  await form(page)
    .getByRole("button", { name: /^(Send review|Save changes)$/ })
    .click();
}

// Another customer, on another computer.
async function newVisitor(browser: Browser, url: string): Promise<Page> {
  return (await browser.newContext({ baseURL: url })).newPage();
}

test("a buyer writes a review, another finds it helpful, and the rating follows everywhere", {
  tag: "@database",
}, async ({ page, cli, browser, shopUrl }) => {
  const other = await newVisitor(browser, shopUrl);
  await other.goto(`/product/${CARAFE}`);
  await hydrated(other);
  await other.getByRole("link", { name: "Write the first review" }).click();
  await expect(panel(other).getByText("No one has written yet")).toBeInViewport();
  await expect(panel(other).getByRole("link", { name: "Sign in to write a review" })).toBeVisible();
  const email = newEmail();
  await newCustomer(other, email, "Omar");
  await panel(other).getByRole("link", { name: "Sign in to write a review" }).click();
  await expect(other).toHaveURL(/\/login/);
  await signIn(other, email);
  await expect(panel(other).getByText("once you have paid for it or received it")).toBeInViewport();

  await signedInBuyer(page, cli, CARAFE, "Mina Das");
  await panel(page).getByRole("button", { name: "Write a review" }).click();
  await expect(form(page).getByRole("radio", { name: /^1 of 5/ })).toBeFocused();
  await form(page).getByRole("button", { name: "Send review" }).click();
  await expect(form(page).getByText("Choose from one to five stars")).toBeVisible();
  await expect(form(page).getByText("Title is required")).toBeVisible();
  await expect(form(page).getByText("2,000 characters left")).toBeVisible();
  await write(page, /^4 of 5/, "Holds water", "It <b>does</b>.\n\nAnd flowers.");
  await expect(mine(page)).toContainText("It <b>does</b>.");
  await expect(page.getByText("Thank you for your review.")).toBeVisible();
  await expect(page.getByRole("link", { name: "1 Review", exact: true })).toBeVisible();
  await expect(panel(page).getByText("4 stars: 1 review")).toBeAttached();

  // The cached page follows; so do its structured data, and the card in the list.
  await expect(async () => {
    await other.reload();
    await expect(other.getByRole("link", { name: "1 Review", exact: true })).toBeVisible({
      timeout: 5_000,
    });
  }).toPass();
  const data = await other.locator("script[type='application/ld+json']").allTextContents();
  expect(data.join()).toContain('"aggregateRating":{"@type":"AggregateRating","ratingValue":4,');
  await hydrated(other);
  await other.getByRole("tab", { name: "Reviews" }).click();
  await expect(review(other, "Holds water")).toContainText("Mina Das");
  const helpful = review(other, "Holds water").getByRole("button", { name: /^Helpful/ });
  await helpful.click();
  await expect(helpful).toHaveAttribute("aria-pressed", "true");
  await expect(review(other, "Holds water")).toContainText("1 person found this helpful");
  await other.reload();
  await hydrated(other);
  await other.getByRole("tab", { name: "Reviews" }).click();
  await expect(helpful).toHaveAttribute("aria-pressed", "true");
  await helpful.click();
  await expect(helpful).toHaveAttribute("aria-pressed", "false");
  await expect(async () => {
    await other.goto("/search?q=weir");
    const card = other.locator("main li:has(h3)", { hasText: "Weir Glass Carafe" });
    await expect(card.getByRole("img", { name: "Rated 4 out of 5" })).toBeVisible({
      timeout: 5_000,
    });
  }).toPass();

  await mine(page).getByRole("button", { name: "Edit" }).click();
  await expect(form(page).getByRole("radio", { name: /^4 of 5/ })).toBeFocused();
  await write(page, /^2 of 5/, "Drips", "After a week it drips.");
  await expect(mine(page)).toContainText("Drips");
  await expect(mine(page)).toContainText("edited");
  await mine(page).getByRole("button", { name: "Delete" }).click();
  const question = page.getByRole("dialog", { name: "Delete your review?" });
  await question.getByRole("button", { name: "No, keep it" }).click();
  await expect(mine(page).getByRole("button", { name: "Delete" })).toBeFocused();
  await mine(page).getByRole("button", { name: "Delete" }).click();
  await question.getByRole("button", { name: "Yes, delete it" }).click();
  await expect(mine(page)).toHaveCount(0);
  await expect(page.getByRole("link", { name: "Write the first review" })).toBeVisible();
  await expect(panel(page).getByRole("button", { name: "Write a review" })).toBeVisible();
  await other.context().close();
});

test("a review with a link waits for moderation", async ({ page, cli, browser, shopUrl }) => {
  await signedInBuyer(page, cli, WALLET, "Nila");
  await expect(panel(page).getByText("No one has written yet")).toBeInViewport();
  await panel(page).getByRole("button", { name: "Write a review" }).click();
  await write(page, /^5 of 5/, "Better elsewhere", "See www.wallets.example for more.");
  await expect(mine(page)).toContainText("Only you see this yet.");
  const other = await newVisitor(browser, shopUrl);
  await other.goto(`/product/${WALLET}#reviews`);
  await expect(panel(other)).toBeVisible();
  await expect(review(other, "Better elsewhere")).toHaveCount(0);

  const waiting = (await cli("reviews", "list", "--state", "queued")).split("\n");
  const [id = ""] = waiting.find((line) => line.includes("Better elsewhere"))?.split(" ") ?? [];
  await cli("reviews", "approve", id);
  await expect(async () => {
    await other.reload();
    await expect(review(other, "Better elsewhere")).toBeVisible({ timeout: 5_000 });
  }).toPass();
  await page.reload();
  await expect(mine(page)).toContainText("Better elsewhere");
  await expect(mine(page)).not.toContainText("Only you see this");
  await cli("reviews", "refuse", id, "--why", "It advertises.");
  await page.reload();
  await expect(mine(page)).toContainText("It advertises.");
  await other.context().close();
});

test.describe("many of them", () => {
  test("are sorted and paged; they fit and are accessible", async ({
    page,
    cli,
    browser,
    shopUrl,
  }) => {
    test.slow();
    await Promise.all(
      Array.from({ length: 11 }, (_, n) =>
        addReview(page, cli, NOTEBOOKS, (n % 5) + 1, `Voice ${n}`),
      ),
    );
    await signedInBuyer(page, cli, NOTEBOOKS, "Mina Das");
    const invitation = panel(page).getByRole("button", { name: "Write a review" });
    await expect(invitation).toBeVisible();
    const look = async (what: string) => {
      for (const width of [360, 768, 1440]) {
        await page.setViewportSize({ width, height: 900 });
        await expectNoOverflow(page, `${what} at ${width}`);
      }
      for (const colorScheme of ["light", "dark"] as const) {
        await page.emulateMedia({ colorScheme });
        await expectAccessible(page, `${what}, ${colorScheme}`);
      }
    };
    await look("the invitation");
    await invitation.click();
    await form(page).getByRole("button", { name: "Send review" }).click();
    await look("the form");
    await write(page, /^5 of 5/, "Mine", "See www.paper.example");
    await expect(mine(page)).toContainText("Only you see this yet.");
    await look("the list");

    await panel(page).getByLabel("Sort by").selectOption("Lowest rating");
    await expect(page).toHaveURL(/\?sort=lowest#first-review$/);
    const listed = panel(page).locator("li article");
    const rated = (stars: number) => page.getByRole("img", { name: `Rated ${stars} out of 5` });
    await expect(listed.first().locator(rated(1))).toBeVisible();
    await expect(listed).toHaveCount(10);
    await panel(page).getByRole("link", { name: "Page 2" }).click();
    await expect(page).toHaveURL(/\?sort=lowest&reviews=2#first-review$/);
    await expect(listed).toHaveCount(1);
    await expect(listed.locator(rated(5))).toBeVisible();
    await page.goBack();
    await expect(listed).toHaveCount(10);
    await expect(panel(page)).toBeVisible();

    // The same without JavaScript.
    const plain = await browser.newContext({ baseURL: shopUrl, javaScriptEnabled: false });
    const reader = await plain.newPage();
    await reader.goto(`/product/${NOTEBOOKS}`);
    await reader.getByLabel("Sort by").selectOption("Highest rating");
    await reader.getByRole("button", { name: "Apply" }).click();
    await expect(reader).toHaveURL(/\?sort=highest#first-review$/);
    const read = reader.locator("#first-review article [role='img']");
    await expect(read.first()).toHaveAccessibleName("Rated 5 out of 5");
    await reader.getByRole("link", { name: "Page 2" }).click();
    await expect(read).toHaveCount(1);
    await expect(read).toHaveAccessibleName("Rated 1 out of 5");
    await plain.close();
  });
});
