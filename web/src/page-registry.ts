// The page registry: page names, the code of each page, loaded on first use, and the paths that
// lead to them.
import type { Page } from "./lib/api.gen";
import { loadWithRetry } from "./lib/lazy";
import type { PageComponent, PageComponents, PageName } from "./lib/page";

type Loaders = { [Name in PageName]: () => Promise<{ default: PageComponents[Name] }> };

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

const loaded = new Map<PageName, PageComponent>();

export async function loadPage(name: PageName): Promise<void> {
  if (loaded.has(name)) return;
  const { default: component } = await loadWithRetry<{ default: PageComponents[PageName] }>(
    loaders[name],
  );
  loaded.set(name, component as PageComponent);
}

export function pageComponent(name: Page["page"]): PageComponent {
  const component = loaded.get(name);
  if (component === undefined) throw new Error(`the page ${name} is not loaded`);
  return component;
}

export function pageForPath(path: string): PageName | null {
  return addresses.find(([pattern]) => pattern.test(path))?.[1] ?? null;
}
