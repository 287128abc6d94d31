import { useState } from "react";
import { Boundary } from "./components/boundary";
import { Footer } from "./components/footer";
import { Header } from "./components/header";
import { Overlays } from "./components/overlays";
import { Toasts } from "./components/toasts";
import type { Currency, Page } from "./lib/api.gen";
import type { Screen } from "./lib/page";
import { keepCurrency, ShopContext } from "./lib/shop";
import { Apart } from "./ui/apart";

// Nothing leads away from what one came for here, but a way home.
const QUIET: Page["page"][] = ["login", "register", "authAction"];

// These have the newsletter's form themselves.
const SUBSCRIBES: Page["page"][] = ["home", "newsletter"];

// The same on the server and in the browser: what surrounds a page, and the page.
export function App({ page, screen: PageScreen }: { page: Page; screen: Screen }) {
  // The server already speaks the visitor's currency; a choice made here holds until it does so
  // again, for pages that were fetched before as well.
  const [chosen, setChosen] = useState<Currency | null>(null);
  const quiet = QUIET.includes(page.page);
  const shop = chosen === null ? page.shop : { ...page.shop, currency: chosen };

  function chooseCurrency(currency: Currency) {
    keepCurrency(currency);
    setChosen(currency);
  }

  return (
    <ShopContext value={{ shop, chooseCurrency }}>
      <a className="skip-link" href="#main">
        Skip to content
      </a>
      {!quiet && <Header page={page} />}
      <main id="main" tabIndex={-1}>
        <Boundary page={page}>
          <PageScreen {...page} />
        </Boundary>
      </main>
      {!quiet && (
        <Apart>
          <Footer newsletter={!SUBSCRIBES.includes(page.page)} />
        </Apart>
      )}
      <Overlays page={page} />
      <Toasts />
      <p id="announcer" className="visually-hidden" role="status" />
    </ShopContext>
  );
}
