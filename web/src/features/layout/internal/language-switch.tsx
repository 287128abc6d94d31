import * as m from "messages/language";
import * as layout from "messages/layout";
import type { Page } from "../../../lib/api.gen";
import {
  chooseLanguage,
  language,
  localUrl,
  shopLanguages,
  splitLanguage,
} from "../../../lib/language";
import styles from "./language-switch.module.css";

// Links to the page in the shop's other languages, each by its own name. The browser loads a whole
// document (lib/navigation.ts).
export function LanguageSwitch({ page }: { page: Page }) {
  const others = shopLanguages().filter((code) => code !== language());
  if (others.length === 0) return null;
  return (
    <ul className={styles.languages} aria-label={layout.languages()}>
      {others.map((code) => (
        <li key={code}>
          <a
            href={localUrl(page.url, code)}
            hrefLang={code}
            lang={code}
            data-language={code}
            onClick={({ currentTarget }) => {
              chooseLanguage(code);
              currentTarget.href = localUrl(shownPath(), code);
            }}
          >
            {m.name(code)}
          </a>
        </li>
      ))}
    </ul>
  );
}

// The address as it is shown: that of the page lacks what only the browser reads, such as the number of
// an order.
function shownPath(): string {
  return splitLanguage(location.pathname)[1] + location.search + location.hash;
}
