import "./styles/tokens.css";
import "./styles/fonts.css";
import "./styles/base.css";
import { startTransition, useEffect, useLayoutEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { App } from "./app";
import { startAuth } from "./features/auth/auth";
import { takeCodes } from "./features/cart/code-links";
import type { Page } from "./lib/api.gen";
import { setCurrency } from "./lib/currency";
import { hydrate } from "./lib/hydrate";
import { setLanguage } from "./lib/language";
import { offerReload } from "./lib/lazy";
import { startNavigation } from "./lib/navigation";
import { cacheShownPage, startOffline } from "./lib/offline";
import { retryPictures } from "./lib/picture-retry";
import { setServerTimeFromDocument } from "./lib/server-clock";
import { changeWithTransition } from "./lib/view-transition";
import { yieldToMain } from "./lib/yield-to-main";
import { loadPage, pageComponent, pageForPath } from "./page-registry";

type Shown = { page: Page; arrived?: () => void };

function Root({ first }: { first: Page }) {
  const [shown, setShown] = useState<Shown>({ page: first });
  const before = useRef(first);

  useLayoutEffect(() => {
    before.current = shown.page;
    // Before the effects that request data.
    setCurrency(shown.page.shop);
    shown.arrived?.();
  }, [shown]);

  useEffect(() => cacheShownPage(shown.page), [shown]);

  useEffect(() => {
    startNavigation(first, {
      loadCode: loadPage,
      guessPage: pageForPath,
      readAddress: takeCodes,
      show(page, arrived, animate) {
        const moves = animate && !matchMedia("(prefers-reduced-motion: reduce)").matches;
        if (!moves || !document.startViewTransition) {
          startTransition(() => setShown({ page, arrived }));
          return;
        }
        changeWithTransition(before.current, page, () =>
          flushSync(() => setShown({ page, arrived })),
        );
      },
      update: (page) => setShown({ page }),
    });
    // From here on clicks are ours: what drives the page waits for it.
    document.documentElement.toggleAttribute("data-hydrated", true);
  }, [first]);

  return <App page={shown.page} component={pageComponent(shown.page.page)} />;
}

const first = JSON.parse(document.getElementById("page")?.textContent ?? "") as Page;
const root = document.getElementById("root") as HTMLElement;

const address = new URL(location.href);
takeCodes(address);
if (address.href !== location.href) history.replaceState(history.state, "", address);
setLanguage(first);
setCurrency(first.shop);
setServerTimeFromDocument();
// Without its code the page is still readable, and its links and forms work.
await loadPage(first.page).catch((why) => {
  offerReload();
  throw why;
});

// The modules have just been evaluated: let input and paint through before hydrating.
await yieldToMain();
hydrate(root, <Root first={first} />);
startAuth(first.shop.identity, () => import("./identity"));
retryPictures();

if (import.meta.env.PROD) {
  startOffline(first.build);
} else {
  const { reloadOnNewBuild } = await import("./dev-reload");
  reloadOnNewBuild();
}
