// What must hold on every page, at every width: it fits, nothing complains, axe finds nothing, and
// the keyboard reaches everything. And without JavaScript it is there to read.
import type { Page } from "@playwright/test";
import { alive } from "./at";
import { faults, over } from "./look";
import { expect, openBuild, testIn } from "./shop";
import { carry, nameOf, STOPS, type Stop, WIDTHS } from "./stops";
import { walk } from "./walk";

// React's development build, which tells of what differs between the server's page and the browser's.
const test = testIn(() => openBuild("dist-dev"));

// Each width by itself: they are the longest of all tests.
test.describe.configure({ mode: "parallel" });

const missing = STOPS.filter(({ missing }) => missing).map(({ address }) => address);

test.use({
  // A picture of the page for each of thousands of keys takes longer than all the rest.
  trace: "off",
  // Which address it was, the other complaint about it says.
  tolerated: [new RegExp(`^404 http\\S+(${missing.join("|")})$|status of 404`)],
});

async function arrive(page: Page, { address, goods }: Stop): Promise<void> {
  if (goods) await carry(page);
  await page.goto(address);
  await alive(page);
  // Then the server has been asked what it costs, or what it is.
  if (goods) await page.waitForLoadState("networkidle");
}

// The other colours at one width.
const DARK_AT = 360;

for (const width of process.env.HAAT_TEST_ALL === undefined ? [360] : WIDTHS) {
  test(`every page at ${width} pixels`, async ({ page, shopUrl }) => {
    test.setTimeout(600_000);
    // Nobody else is asked for anything, whatever the page: the privacy page promises that.
    const elsewhere: string[] = [];
    page.on("request", (request) => {
      const { origin, protocol } = new URL(request.url());
      if (/^(https?|wss?):$/.test(protocol) && origin !== shopUrl) elsewhere.push(request.url());
    });
    await page.setViewportSize({ width, height: 800 });
    for (const stop of STOPS) {
      await test.step(nameOf(stop), async () => {
        await arrive(page, stop);
        await expect.soft(page.getByRole("heading", { level: 1 })).toHaveCount(1);
        expect.soft(await over(page), `${nameOf(stop)} scrolls sideways`).toBeLessThanOrEqual(0);
        expect.soft(await faults(page), `axe on ${nameOf(stop)}`).toEqual([]);
        expect.soft(await walk(page), `Tab on ${nameOf(stop)}`).toEqual([]);
        if (width !== DARK_AT) return;
        await page.emulateMedia({ colorScheme: "dark" });
        const dark = await faults(page, ["color-contrast"]);
        expect.soft(dark, `axe on ${nameOf(stop)}, dark`).toEqual([]);
        await page.emulateMedia({ colorScheme: "light" });
      });
    }
    expect(elsewhere, "asked of others").toEqual([]);
  });
}

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("every page is there to read", async ({ page }) => {
    test.setTimeout(240_000);
    for (const { address } of STOPS) {
      await page.goto(address);
      await expect.soft(page.getByRole("heading", { level: 1 }), address).toBeVisible();
      await expect.soft(page.locator("main"), address).toHaveText(/\S.{60}/s);
    }
  });
});
