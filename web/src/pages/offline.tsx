import * as common from "messages/common";
import * as m from "messages/layout";
import { useEffect, useState } from "react";
import { PageHead } from "../features/layout/page-head";
import { type CachedPage, listCachedPages } from "../lib/offline";
import type { PageOf } from "../lib/page";
import { pageUrl } from "../lib/urls";
import { ButtonLink } from "../ui/button";
import styles from "./offline.module.css";

const ASK_AGAIN = 1_000;

// The offline page: the service worker serves it for pages that are not cached, at their own URL.
export default function OfflinePage(page: PageOf<"offline">) {
  const { name } = page.shop;
  const here = pageUrl(page);
  const seen = useSeenPages(page.build);

  useEffect(() => {
    const leaving = new AbortController();
    const { signal } = leaving;
    let timer: ReturnType<typeof setTimeout> | undefined;
    // The `online` event fires too early and too often: only a response counts.
    const again = () => {
      clearTimeout(timer);
      fetch(location.href, { method: "HEAD", cache: "no-store", signal }).then(
        () => signal.aborted || location.reload(),
        () => {
          if (!signal.aborted && navigator.onLine) timer = setTimeout(again, ASK_AGAIN);
        },
      );
    };
    addEventListener("online", again, { signal });
    // The connection may be back before this code ran. A visitor who opened this very page stays on
    // it.
    if (navigator.onLine && location.pathname !== here) again();
    return () => {
      leaving.abort();
      clearTimeout(timer);
    };
  }, [here]);

  return (
    <div className={`wrap ${styles.offline}`}>
      <PageHead
        page={page}
        title={`${m.offline()} · ${name}`}
        description={m.offlineDescription({ shop: name })}
      />
      <h1>{m.offline()}</h1>
      <p className={styles.message}>{m.offlineMessage()}</p>
      <p className={styles.actions}>
        <ButtonLink href="">{common.tryAgain()}</ButtonLink>
      </p>
      {seen.length > 0 && (
        <nav aria-labelledby="seen-title">
          <h2 id="seen-title">{m.readMeanwhile()}</h2>
          <ul className={styles.seen}>
            {seen.map(({ address, title }) => (
              <li key={address}>
                <a href={address}>{title.replace(` · ${name}`, "")}</a>
              </li>
            ))}
          </ul>
        </nav>
      )}
    </div>
  );
}

function useSeenPages(build: string): CachedPage[] {
  const [seen, setSeen] = useState<CachedPage[]>([]);
  useEffect(() => {
    let gone = false;
    // Where storage is blocked there is nothing to list.
    listCachedPages(build).then(
      (pages) => gone || setSeen(pages),
      () => {},
    );
    return () => {
      gone = true;
    };
  }, [build]);
  return seen;
}
