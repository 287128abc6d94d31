import { useEffect, useState } from "react";
import { PageHead } from "../features/layout/page-head";
import { type CachedPage, listCachedPages } from "../lib/offline";
import type { PageOf } from "../lib/page";
import { ButtonLink } from "../ui/button";
import styles from "./offline.module.css";

const ASK_AGAIN = 1_000;

// The offline page: the service worker serves it for pages that are not cached, at their own URL.
export default function OfflinePage(page: PageOf<"offline">) {
  const { name } = page.shop;
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
    if (navigator.onLine && location.pathname !== page.url) again();
    return () => {
      leaving.abort();
      clearTimeout(timer);
    };
  }, [page.url]);

  return (
    <div className={`wrap ${styles.offline}`}>
      <PageHead
        page={page}
        title={`You are offline · ${name}`}
        description={`${name} cannot be reached without a connection.`}
      />
      <h1>You are offline</h1>
      <p className={styles.message}>
        This page has not been opened on this device lately. It comes by itself once there is a
        connection again, and your cart stays as it is.
      </p>
      <p className={styles.actions}>
        <ButtonLink href="">Try again</ButtonLink>
      </p>
      {seen.length > 0 && (
        <nav aria-labelledby="seen-title">
          <h2 id="seen-title">Can be read meanwhile</h2>
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
