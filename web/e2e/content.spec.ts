// Content pages, and forms with real e-mails.
import type { Page } from "@playwright/test";
import { emailsTo } from "./identity";
import { holdRequests, hydrated } from "./locators";
import { expect, test } from "./shop";

const POST = "/blog/the-words-on-a-watch";

let people = 0;
const newEmail = () => `shima-${Date.now()}-${++people}@example.com`;

async function emailHtml(page: Page, to: string, subject: string): Promise<string> {
  await expect.poll(async () => (await emailsTo(page, to, subject)).length).toBe(1);
  const [address = ""] = await emailsTo(page, to, subject);
  return await (await page.request.get(address)).text();
}

async function linkIn(page: Page, to: string, name: string): Promise<string> {
  const html = await emailHtml(page, to, "Confirm that you want our letter");
  const link = new RegExp(`https?://[^"\\s<]*(/newsletter/${name}\\?token=[^"\\s<]+)`).exec(html);
  return link?.[1] ?? "";
}

test("a post is read from the list, with its products and neighbours", async ({ page }) => {
  await page.goto("/blog");
  await hydrated(page);
  await expect(page.locator("article")).toHaveCount(6);
  await page.getByRole("link", { name: "What the words on a watch mean" }).click();
  await expect(page).toHaveURL(new RegExp(`${POST}$`));
  await expect(page.locator("#products li h3")).toHaveCount(4);
  await page.getByRole("link", { name: "Water resistance" }).click();
  await expect(page).toHaveURL(/#water-resistance$/);
  await expect(page.getByRole("heading", { name: "Water resistance" })).toBeInViewport();
  await page.getByRole("link", { name: "Previous Looking after leather" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Looking after leather");
});

test("a question opens by keyboard, and closes the one before", async ({ page }) => {
  await page.goto("/about");
  const first = page.locator("summary", { hasText: "How can I pay?" });
  await first.focus();
  await page.keyboard.press("Enter");
  await expect(page.getByText("Cash on delivery is always possible")).toBeVisible();
  await page.locator("summary", { hasText: "Where is my order?" }).click();
  await expect(page.getByText("Cash on delivery is always possible")).toBeHidden();
});

test("a message is sent, stored and answered", async ({ page }) => {
  const email = newEmail();
  await page.goto("/contact");
  await hydrated(page);
  const send = page.getByRole("button", { name: "Find an agent" });
  await send.click();
  await expect(page.getByText("Name is Required")).toBeVisible();
  await expect(page.getByText("Email is required")).toBeVisible();
  await expect(page.getByText("Message is required")).toBeVisible();
  await expect(page.getByLabel("Name")).toBeFocused();

  // Validated on every change.
  await page.getByLabel("Name").fill("Shima Akter");
  await expect(page.getByText("Name is Required")).toBeHidden();
  const form = page.locator("main form");
  await form.getByLabel("Email").fill("shima");
  await expect(page.getByText("Please write the whole address")).toBeVisible();
  await form.getByLabel("Email").fill(email);
  await page.getByLabel("Message").fill("Is the lamp warm or cold?");
  const sent = page.waitForRequest("**/api/contact");
  await send.dblclick();
  expect((await sent).postDataJSON().pass).toMatch(/^\d+\.[\da-f]{40}$/);
  const thanks = page.getByRole("heading", { name: "Thank you. Your message is with us." });
  await expect(thanks).toBeFocused();
  await expect(page.getByText("Your message was sent.")).toBeVisible();
  expect(await emailHtml(page, email, "We have your message")).toContain("Thank you for writing");
});

test("the map is loaded from elsewhere, and only on request", async ({ page }) => {
  const elsewhere: string[] = [];
  await page.route(/openstreetmap\.org/, (route) => {
    elsewhere.push(route.request().url());
    return route.fulfill({ contentType: "text/html", body: "<p>A map</p>" });
  });
  // From another page, whose Content-Security-Policy would not allow it.
  await page.goto("/about");
  await hydrated(page);
  await page.getByRole("link", { name: "contact page" }).click();
  // Another document, which is hydrated anew.
  await expect(page).toHaveURL(/\/contact$/);
  await hydrated(page);
  expect(elsewhere).toEqual([]);
  await page.getByRole("button", { name: "Show the map" }).click();
  await expect(page.frameLocator("iframe").getByText("A map")).toBeVisible();
  expect(elsewhere).toHaveLength(1);
});

test("subscribing to the newsletter takes two steps, leaving takes one", async ({ page }) => {
  const email = newEmail();
  await page.goto("/blog");
  await hydrated(page);
  const footer = page.locator("footer");
  await footer.getByLabel("E-mail address").fill("nobody");
  await footer.getByRole("button", { name: "Subscribe" }).click();
  await expect(footer.getByRole("alert")).toHaveText(/whole address/);
  await footer.getByLabel("E-mail address").fill(email);
  await expect(footer.getByRole("alert")).toBeHidden();
  await footer.getByRole("button", { name: "Subscribe" }).click();
  await expect(footer.getByText("Almost there")).toBeVisible();

  await page.goto(await linkIn(page, email, "confirm"));
  await page.getByRole("button", { name: "Yes, write to me" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(
    "Thank you. You are on the list.",
  );
  await page.goto(await linkIn(page, email, "leave"));
  await page.getByRole("button", { name: "Leave" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("You have left.");
  await page.goto(await linkIn(page, email, "confirm"));
  await page.getByRole("button", { name: "Yes, write to me" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(
    "This link does not work any more.",
  );
});

test("subscribing and leaving the page at once works", async ({ page }) => {
  const email = newEmail();
  await page.goto("/newsletter");
  await hydrated(page);
  await expect(page.getByRole("button", { name: "Subscribe" })).toHaveCount(1);
  const release = await holdRequests(page, "**/api/newsletter");
  await page.getByLabel("E-mail address").fill(email);
  const asked = page.waitForRequest("**/api/newsletter");
  await page.getByRole("button", { name: "Subscribe" }).click();
  await expect(page.getByRole("button", { name: "Sending…" })).toBeVisible();
  // Within the two seconds that a form must have been open.
  await asked;
  await release();
  await page.goto("/about");
  await linkIn(page, email, "confirm");
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("everything can be read, and the forms are answered by pages", async ({ page }) => {
    await page.goto("/blog");
    await page.getByRole("link", { name: "Looking after leather" }).click();
    await expect(page.getByText("Leather is skin")).toBeVisible();
    await page.goto("/about");
    await page.locator("summary", { hasText: "How can I pay?" }).click();
    await expect(page.getByText("Cash on delivery is always possible")).toBeVisible();
    await page.goto("/privacy");
    await expect(page.getByText(/^Updated \d+ \w+ 20\d\d$/)).toBeVisible();

    const email = newEmail();
    await page.goto("/contact");
    await expect(page.getByRole("button", { name: "Show the map" })).toBeHidden();
    await page.getByLabel("Name").fill("Shima Akter");
    await page.locator("main form").getByLabel("Email").fill(email);
    await page.getByLabel("Message").fill("Hello");
    await page.getByRole("button", { name: "Find an agent" }).click();
    await expect(page).toHaveURL(/\/contact\/sent$/);
    await expect(page.getByText("Your message is with us")).toBeVisible();
    const footer = page.locator("footer");
    await footer.getByLabel("E-mail address").fill(email);
    await footer.getByRole("button", { name: "Subscribe" }).click();
    await expect(page).toHaveURL(/\/newsletter\/sent$/);
    await page.goto(await linkIn(page, email, "confirm"));
    await page.getByRole("button", { name: "Yes, write to me" }).click();
    await expect(page).toHaveURL(/\/newsletter\/confirmed$/);
  });
});

test("a policy prints as text only", async ({ page }) => {
  await page.goto("/refund");
  await page.emulateMedia({ media: "print" });
  await expect(page.locator("footer")).toBeHidden();
  await expect(page.getByRole("navigation")).toHaveCount(0);
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
});
