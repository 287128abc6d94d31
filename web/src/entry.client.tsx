import "./styles/tokens.css";
import "./styles/fonts.css";
import "./styles/base.css";
import { startTransition, useEffect, useLayoutEffect, useState } from "react";
import { flushSync } from "react-dom";
import { createRoot, hydrateRoot } from "react-dom/client";
import { App } from "./app";
import type { Page } from "./lib/api.gen";
import { startAuth } from "./lib/auth";
import { learnTimeFromDocument } from "./lib/clock";
import { startNavigation } from "./lib/navigation";
import { expectedPage, preparePage, screenOf } from "./screens";

type Shown = { page: Page; arrived?: () => void };

function Shop({ first }: { first: Page }) {
  const [shown, setShown] = useState<Shown>({ page: first });

  useLayoutEffect(() => shown.arrived?.(), [shown]);

  useEffect(() => {
    startNavigation(first, {
      prepare: preparePage,
      expect: expectedPage,
      show(page, arrived, animate) {
        const moves = animate && !matchMedia("(prefers-reduced-motion: reduce)").matches;
        if (!moves || !document.startViewTransition) {
          startTransition(() => setShown({ page, arrived }));
          return;
        }
        const transition = document.startViewTransition(() =>
          flushSync(() => setShown({ page, arrived })),
        );
        // Rejects when a newer visit cuts the animation short, which is no error.
        transition.ready.catch(() => {});
      },
    });
  }, [first]);

  return <App page={shown.page} screen={screenOf(shown.page.page)} />;
}

const first = JSON.parse(document.getElementById("page")?.textContent ?? "") as Page;
const root = document.getElementById("root") as HTMLElement;

learnTimeFromDocument();
await preparePage(first.page);

const shop = <Shop first={first} />;
// An empty root: the server could not render this page and sent its data alone.
if (root.firstChild === null) createRoot(root).render(shop);
else hydrateRoot(root, shop);
startAuth(first.shop.identity);

if (import.meta.env.DEV) {
  const { reloadOnNewBuild } = await import("./lib/dev-reload");
  reloadOnNewBuild();
}
