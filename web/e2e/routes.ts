// Every route of the demo shop, for tests of all pages: a new page is one line here.
import type { Page } from "@playwright/test";
import { unpaidOrder } from "./customer";

export type Route = {
  address: string;
  // With something in the cart and on the wishlist, here and on all routes after it.
  withItems?: true;
  // There is no such page.
  missing?: true;
  // The payment page of an order that is placed for it: `addressOf` has the whole address.
  toPay?: true;
};

export const ROUTES: Route[] = [
  { address: "/" },
  { address: "/category/audio" },
  { address: "/category/audio?view=list" },
  { address: "/category/audio?brand=Veldrun&colour=Ink&stock=in" },
  { address: "/search?q=lamp" },
  { address: "/search?q=hedphones" },
  { address: "/search?q=zzzzqqq" },
  { address: "/product/tarn-over-ear-headphones" },
  { address: "/product/skerry-turntable" },
  // One value of it is sold out in the other's choice, and one does not exist.
  { address: "/product/daybook-leather-notebook?colour=Ink&ruling=Plain" },
  { address: "/cart" },
  { address: "/checkout" },
  { address: "/track" },
  { address: "/pay", toPay: true },
  { address: "/gift-card" },
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
  { address: "/cart", withItems: true },
  { address: "/cart?step=checkout", withItems: true },
  { address: "/wishlist", withItems: true },
];

export const WIDTHS = [360, 768, 1440];

// Nothing scrolls sideways at this width either.
export const NARROWEST = 320;

export async function addressOf(page: Page, { address, toPay }: Route): Promise<string> {
  return toPay ? await unpaidOrder(page) : address;
}

// A file name.
export function routeName({ address, withItems }: Route): string {
  const name = address === "/" ? "home" : address.slice(1).replaceAll(/[/?=&]/g, "-");
  return withItems ? `${name}-with-items` : name;
}

const TARN = "tarn-over-ear-headphones";
const LINE = { _id: TARN, name: "Tarn", img: ["/favicon.svg"], buyPrice: 199, qtn: 2 };
const ITEMS = { "haat.cart": [LINE], "haat.wishlist": [TARN] };

// Fills the cart and the wishlist, from the next page on.
export async function fillCartAndWishlist(page: Page): Promise<void> {
  await page.addInitScript((items) => {
    for (const [key, value] of Object.entries(items)) {
      localStorage.setItem(key, JSON.stringify({ version: 1, value }));
    }
  }, ITEMS);
}
