import "./styles/tokens.css";
import "./styles/fonts.css";
import "./styles/base.css";
import { startTransition, useEffect, useLayoutEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { App } from "./app";
import type { Page } from "./lib/api.gen";
import { startAuth } from "./lib/auth";
import { learnTimeFromDocument } from "./lib/clock";
import { changeMoving } from "./lib/moving";
import { startNavigation } from "./lib/navigation";
import { keepSeen, startOffline } from "./lib/offline";
import { pause } from "./lib/pause";
import { offerReload } from "./lib/pieces";
import { takeOver } from "./lib/take-over";
import { expectedPage, preparePage, screenOf } from "./screens";

type Shown = { page: Page; arrived?: () => void };

function Shop({ first }: { first: Page }) {
  const [shown, setShown] = useState<Shown>({ page: first });
  const before = useRef(first);

  useLayoutEffect(() => {
    before.current = shown.page;
    shown.arrived?.();
  }, [shown]);

  useEffect(() => keepSeen(shown.page), [shown]);

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
        changeMoving(before.current, page, () => flushSync(() => setShown({ page, arrived })));
      },
    });
  }, [first]);

  return <App page={shown.page} screen={screenOf(shown.page.page)} />;
}

const first = JSON.parse(document.getElementById("page")?.textContent ?? "") as Page;
const root = document.getElementById("root") as HTMLElement;

learnTimeFromDocument();
// Without its code the page can still be read, and its links and forms work.
await preparePage(first.page).catch((why) => {
  offerReload();
  throw why;
});

// What has run until now was long enough.
await pause();
takeOver(root, <Shop first={first} />);
startAuth(first.shop.identity);

if (import.meta.env.PROD) {
  startOffline(first.build);
} else {
  const { reloadOnNewBuild } = await import("./lib/dev-reload");
  reloadOnNewBuild();
}
