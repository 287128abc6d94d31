import * as m from "messages/layout";
import { ErrorBoundary } from "./features/layout/error-boundary";
import { Footer } from "./features/layout/footer";
import { Header } from "./features/layout/header";
import { Overlays } from "./features/layout/overlays";
import { Toasts } from "./features/layout/toasts";
import type { Page } from "./lib/api.gen";
import type { PageComponent } from "./lib/page";
import { ShopContext } from "./lib/shop-context";
import { HydrationBoundary } from "./ui/hydration-boundary";

// Pages without the header and footer, so that nothing distracts from the form.
const QUIET: Page["page"][] = ["login", "register", "auth-action"];

// Pages that show the newsletter form themselves.
const SUBSCRIBES: Page["page"][] = ["home", "newsletter"];

// The root component, the same for server rendering and in the browser: header, page, footer,
// overlays.
export function App({ page, component: Content }: { page: Page; component: PageComponent }) {
  const quiet = QUIET.includes(page.page);
  return (
    <ShopContext value={page.shop}>
      <a className="skip-link" href="#main">
        {m.skipToContent()}
      </a>
      {!quiet && <Header page={page} />}
      <main id="main" tabIndex={-1}>
        <ErrorBoundary page={page}>
          <Content {...page} />
        </ErrorBoundary>
      </main>
      {!quiet && (
        <HydrationBoundary>
          <Footer page={page} newsletter={!SUBSCRIBES.includes(page.page)} />
        </HydrationBoundary>
      )}
      <Overlays page={page} />
      <Toasts />
      <p id="announcer" className="visually-hidden" role="status" />
    </ShopContext>
  );
}
