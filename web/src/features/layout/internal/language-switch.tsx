import * as m from "messages/language";
import * as layout from "messages/layout";
import type { Page } from "../../../lib/api.gen";
import { language, shopLanguages } from "../../../lib/language";
import { languageLink } from "./language-link";
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
          <a lang={code} {...languageLink(page, code)}>
            {m.name(code)}
          </a>
        </li>
      ))}
    </ul>
  );
}
