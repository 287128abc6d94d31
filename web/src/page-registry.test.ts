import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { pageForPath } from "./page-registry";

test.each([
  ["/", "home"],
  ["/category/audio", "category"],
  ["/cart", "cart"],
  ["/account/orders/0000-0000", "account"],
  ["/wishlist", "wishlist"],
  ["/wishlist/0123456789abcdef0123456789abcdef", "shared-wishlist"],
  ["/blog", "blog"],
  ["/blog/looking-after-leather", "post"],
  ["/refund", "policy"],
  ["/auth/action", "auth-action"],
])("%s is the page %s", (path, page) => {
  expect(pageForPath(path)).toBe(page);
});

test.each(["/nothing", "/product", "/product/a/b", "/cart/a", "/v1/token"])(
  "%s is no page",
  (path) => {
    expect(pageForPath(path)).toBeNull();
  },
);

test("each page's component takes the page of its file's name", () => {
  const folder = join(import.meta.dirname, "pages");
  const files = readdirSync(folder).filter((file) => file.endsWith(".tsx"));
  for (const file of files) {
    const [, name] =
      /export default function \w+\(page: PageOf<"([\w-]+)">\)/.exec(
        readFileSync(join(folder, file), "utf8"),
      ) ?? [];
    expect(`${name}.tsx`).toBe(file);
  }
});
