// Every page of the demo shop, for whatever looks at all of them: a new page is one line here.
import type { Page } from "@playwright/test";

export type Stop = {
  address: string;
  // Something lies in the cart and on the wishlist, here and at every stop after it.
  goods?: true;
  // There is no such page.
  missing?: true;
};

export const STOPS: Stop[] = [
  { address: "/" },
  { address: "/category/audio" },
  { address: "/category/audio?view=list" },
  { address: "/category/audio?brand=Veldrun&colour=Ink&stock=in" },
  { address: "/search?q=lamp" },
  { address: "/search?q=hedphones" },
  { address: "/search?q=zzzzqqq" },
  { address: "/product/tarn-over-ear-headphones" },
  { address: "/product/skerry-turntable" },
  { address: "/cart" },
  { address: "/checkout" },
  { address: "/track" },
  { address: "/wishlist" },
  { address: "/about" },
  { address: "/contact" },
  { address: "/contact/sent" },
  { address: "/blog" },
  { address: "/blog/the-words-on-a-watch" },
  { address: "/privacy" },
  { address: "/terms_condition" },
  { address: "/refund" },
  { address: "/return" },
  { address: "/newsletter" },
  { address: "/newsletter/confirm" },
  { address: "/newsletter/stale" },
  { address: "/back-in-stock/leave" },
  { address: "/login" },
  { address: "/register" },
  { address: "/signup" },
  { address: "/api/docs" },
  { address: "/offline" },
  { address: "/dev/ui" },
  { address: "/no-such-page", missing: true },
  { address: "/cart", goods: true },
  { address: "/cart?step=checkout", goods: true },
  { address: "/wishlist", goods: true },
];

export const WIDTHS = [360, 768, 1440];

// As a file could be called.
export function nameOf({ address, goods }: Stop): string {
  const name = address === "/" ? "home" : address.slice(1).replaceAll(/[/?=&]/g, "-");
  return goods ? `${name}-with-goods` : name;
}

const TARN = "tarn-over-ear-headphones";
const LINE = { _id: TARN, name: "Tarn", img: ["/favicon.svg"], buyPrice: 199, qtn: 2 };
const GOODS = { "haat.cart": [LINE], "haat.wishlist": [TARN] };

// From the next page on there is something in the cart and on the wishlist.
export async function carry(page: Page): Promise<void> {
  await page.addInitScript((goods) => {
    for (const [key, value] of Object.entries(goods)) {
      localStorage.setItem(key, JSON.stringify({ version: 1, value }));
    }
  }, GOODS);
}
