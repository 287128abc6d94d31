// Server rendering entry, run in QuickJS: props in as JSON, markup out. No I/O, no clock, no
// randomness.
import { renderToString } from "react-dom/server";
import { App } from "./app";
import type { Page } from "./lib/api.gen";
import type { PageComponent, PageComponents } from "./lib/page";
import AboutPage from "./pages/about";
import AccountPage from "./pages/account";
import ApiDocs from "./pages/api-docs";
import AuthActionPage from "./pages/auth-action";
import BackInStockPage from "./pages/back-in-stock";
import BlogPage from "./pages/blog";
import CartPage from "./pages/cart";
import CategoryPage from "./pages/category";
import CheckoutPage from "./pages/checkout";
import ContactPage from "./pages/contact";
import DevUi from "./pages/dev-ui";
import ErrorPage from "./pages/error";
import Home from "./pages/home";
import LoginPage from "./pages/login";
import NewsletterPage from "./pages/newsletter";
import NotFound from "./pages/not-found";
import OfflinePage from "./pages/offline";
import PolicyPage from "./pages/policy";
import PostPage from "./pages/post";
import ProductPage from "./pages/product";
import RegisterPage from "./pages/register";
import SearchPage from "./pages/search";
import SharedWishlistPage from "./pages/shared-wishlist";
import SignupPage from "./pages/signup";
import TrackPage from "./pages/track";
import WishlistPage from "./pages/wishlist";

const pageComponents: PageComponents = {
  home: Home,
  category: CategoryPage,
  search: SearchPage,
  product: ProductPage,
  cart: CartPage,
  checkout: CheckoutPage,
  track: TrackPage,
  account: AccountPage,
  wishlist: WishlistPage,
  sharedWishlist: SharedWishlistPage,
  backInStock: BackInStockPage,
  login: LoginPage,
  register: RegisterPage,
  signup: SignupPage,
  authAction: AuthActionPage,
  apiDocs: ApiDocs,
  blog: BlogPage,
  post: PostPage,
  about: AboutPage,
  contact: ContactPage,
  policy: PolicyPage,
  newsletter: NewsletterPage,
  offline: OfflinePage,
  devUi: DevUi,
  notFound: NotFound,
  error: ErrorPage,
};

// React writes the <head> elements before the rest of the markup.
const HEAD = /^(?:<title[^>]*>[^<]*<\/title>|<(?:meta|link)\b[^>]*>)+/;

function render(json: string): [head: string, body: string] {
  const page = JSON.parse(json) as Page;
  const html = renderToString(
    <App page={page} component={pageComponents[page.page] as PageComponent} />,
  );
  const head = HEAD.exec(html)?.[0] ?? "";
  return [head, html.slice(head.length)];
}

Object.assign(globalThis, { render });
