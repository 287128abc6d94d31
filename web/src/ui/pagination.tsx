import ChevronLeft from "lucide-react/icons/chevron-left";
import ChevronRight from "lucide-react/icons/chevron-right";
import * as m from "messages/ui";
import { formatNumber } from "../lib/numbers";
import { pageWindow } from "../lib/urls";
import styles from "./pagination.module.css";

type Props = { current: number; pages: number; urlOf: (page: number) => string };

export function Pagination({ current, pages, urlOf }: Props) {
  return (
    <nav className={styles.pagination} aria-label={m.pages()}>
      <p>{m.pageOf({ current, pages })}</p>
      <ul>
        {current > 1 && (
          <li>
            <a href={urlOf(current - 1)} rel="prev" aria-label={m.previousPage()}>
              <ChevronLeft size={18} strokeWidth={1.5} aria-hidden />
            </a>
          </li>
        )}
        {pageWindow(current, pages).map((page, at) =>
          page === null ? (
            // biome-ignore lint/suspicious/noArrayIndexKey: a gap has only its position.
            <li key={`gap-${at}`} className={styles.gap}>
              …
            </li>
          ) : (
            <li key={page}>
              <a
                href={urlOf(page)}
                aria-label={m.page({ page })}
                aria-current={page === current ? "page" : undefined}
              >
                {formatNumber(page)}
              </a>
            </li>
          ),
        )}
        {current < pages && (
          <li>
            <a href={urlOf(current + 1)} rel="next" aria-label={m.nextPage()}>
              <ChevronRight size={18} strokeWidth={1.5} aria-hidden />
            </a>
          </li>
        )}
      </ul>
    </nav>
  );
}
