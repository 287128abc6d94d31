// A shop where orders need an account, and limits for customers without a verified address.
import { expectAccessible, expectNoOverflow } from "./a11y";
import { openPage } from "./bangla";
import { expectCompleted, fillIn, openCheckout, placeOrder, signedIn, withCart } from "./customer";
import { actionLink, callIdentity, emailsTo } from "./identity";
import { expect, openShop, testIn } from "./shop";

const test = testIn(() => openShop("--unproven-max", "200", "--guest-checkout", "false"));
const MUG = "marl-stoneware-mug";
const CONFIRM = "Confirm your e-mail address";

// The refusal is logged by the browser.
test.use({ allowedErrors: [/\b403\b/] });

test("an order that is too large for an unverified address waits for verification", async ({
  page,
}) => {
  const email = await signedIn(page);
  await withCart(page, { [MUG]: 3 });
  await openCheckout(page);
  await fillIn(page);
  await placeOrder(page).click();

  const refusal = page.getByRole("alert").filter({ hasText: "Nothing was ordered." });
  await expect(refusal).toContainText("more than $200.00 without payment");
  await expect(refusal).toContainText("confirm your e-mail address");
  await expectNoOverflow(page, "the refusal");
  await expectAccessible(page, "the refusal");
  await refusal.getByRole("button", { name: "Send me the link again" }).click();
  await expect(refusal.getByRole("status")).toContainText("on its way");

  // On another device, unknown to this page.
  await expect.poll(async () => (await emailsTo(page, email, CONFIRM)).length).toBe(1);
  const { searchParams } = new URL(await actionLink(page, email, CONFIRM));
  await callIdentity(page, "v1/accounts:update", { oobCode: searchParams.get("oobCode") });

  await placeOrder(page).click();
  await expectCompleted(page);
});

test("orders need an account where the shop wants it", async ({ page }) => {
  await withCart(page, { [MUG]: 1 });
  await openPage(page, "/cart");
  await expect(page.getByRole("link", { name: "Order without an account" })).toHaveCount(0);
  await page.goto("/checkout");
  await expect(page.getByRole("link", { name: "To Continue Please Login first" })).toHaveAttribute(
    "href",
    "/login?from=%2Fcheckout",
  );
});
