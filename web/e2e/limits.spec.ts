// What a shop asks of a customer whose address nobody has confirmed.
import { atCheckout, expectCompleted, fillIn, placeOrder, signedIn, withCart } from "./customer";
import { ask, lettersTo, link } from "./identity";
import { expectClean, expectFit } from "./look";
import { expect, openShop, testIn } from "./shop";

const test = testIn(() => openShop("--unproven-max", "200"));
const MUG = "marl-stoneware-mug";
const CONFIRM = "Confirm your e-mail address";

// The refusal is an answer.
test.use({ tolerated: [/\b403\b/] });

test("an order that is too large for an unproven address waits for its proof", async ({ page }) => {
  const email = await signedIn(page);
  await withCart(page, { [MUG]: 3 });
  await atCheckout(page);
  await fillIn(page);
  await placeOrder(page).click();

  const refusal = page.getByRole("alert").filter({ hasText: "Nothing was ordered." });
  await expect(refusal).toContainText("more than $200.00 without payment");
  await expect(refusal).toContainText("confirm your e-mail address");
  await expectFit(page, "the refusal");
  await expectClean(page, "the refusal");
  await refusal.getByRole("button", { name: "Send me the link again" }).click();
  await expect(refusal.getByRole("status")).toContainText("on its way");

  // On another device, of which this page hears nothing.
  await expect.poll(async () => (await lettersTo(page, email, CONFIRM)).length).toBe(1);
  const { searchParams } = new URL(await link(page, email, CONFIRM));
  await ask(page, "v1/accounts:update", { oobCode: searchParams.get("oobCode") });

  await placeOrder(page).click();
  await expectCompleted(page);
});
