// The pages as the browser loads them: each one's code when it is first needed.
import type { Page } from "./lib/api.gen";
import type { PageName, Screen, Screens } from "./lib/page";
import { piece } from "./lib/pieces";

type Loaders = { [Name in PageName]: () => Promise<{ default: Screens[Name] }> };

const loaders: Loaders = {
  home: () => import("./pages/home"),
  category: () => import("./pages/category"),
  search: () => import("./pages/search"),
  product: () => import("./pages/product"),
  cart: () => import("./pages/cart"),
  checkout: () => import("./pages/checkout"),
  track: () => import("./pages/track"),
  account: () => import("./pages/account"),
  wishlist: () => import("./pages/wishlist"),
  sharedWishlist: () => import("./pages/shared-wishlist"),
  backInStock: () => import("./pages/back-in-stock"),
  login: () => import("./pages/login"),
  register: () => import("./pages/register"),
  signup: () => import("./pages/signup"),
  authAction: () => import("./pages/auth-action"),
  apiDocs: () => import("./pages/api-docs"),
  blog: () => import("./pages/blog"),
  post: () => import("./pages/post"),
  about: () => import("./pages/about"),
  contact: () => import("./pages/contact"),
  policy: () => import("./pages/policy"),
  newsletter: () => import("./pages/newsletter"),
  offline: () => import("./pages/offline"),
  devUi: () => import("./pages/dev-ui"),
  notFound: () => import("./pages/not-found"),
  error: () => import("./pages/error"),
};

const addresses: [RegExp, PageName][] = [
  [/^\/$/, "home"],
  [/^\/category\//, "category"],
  [/^\/search$/, "search"],
  [/^\/product\//, "product"],
  [/^\/cart$/, "cart"],
  [/^\/checkout$/, "checkout"],
  [/^\/track$/, "track"],
  [/^\/account(\/|$)/, "account"],
  [/^\/wishlist$/, "wishlist"],
  [/^\/wishlist\//, "sharedWishlist"],
  [/^\/login$/, "login"],
  [/^\/register$/, "register"],
  [/^\/signup$/, "signup"],
  [/^\/auth\/action$/, "authAction"],
  [/^\/api\/docs$/, "apiDocs"],
  [/^\/blog$/, "blog"],
  [/^\/blog\//, "post"],
  [/^\/about$/, "about"],
  [/^\/(privacy|terms_condition|refund|return)$/, "policy"],
  [/^\/dev\/ui$/, "devUi"],
];

const loaded = new Map<PageName, Screen>();

export async function preparePage(name: PageName): Promise<void> {
  if (loaded.has(name)) return;
  const { default: screen } = await piece<{ default: Screens[PageName] }>(loaders[name]);
  loaded.set(name, screen as Screen);
}

export function screenOf(name: Page["page"]): Screen {
  const screen = loaded.get(name);
  if (screen === undefined) throw new Error(`the page ${name} was not prepared`);
  return screen;
}

export function expectedPage(path: string): PageName | null {
  return addresses.find(([pattern]) => pattern.test(path))?.[1] ?? null;
}
