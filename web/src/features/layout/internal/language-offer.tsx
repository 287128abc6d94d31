import X from "lucide-react/icons/x";
import * as m from "messages/language";
import { useState } from "react";
import type { Page } from "../../../lib/api.gen";
import { chooseLanguage, language } from "../../../lib/language";
import { ButtonLink } from "../../../ui/button";
import { IconButton } from "../../../ui/icon-button";
import { languageLink } from "./language-link";
import styles from "./language-offer.module.css";

type Props = { page: Page; offered: string };

// A bar that lies over the page, so that nothing moves, in the words of the offered language.
export default function LanguageOffer({ page, offered }: Props) {
  const [dismissed, setDismissed] = useState(false);
  if (dismissed) return null;

  function dismiss() {
    chooseLanguage(language());
    setDismissed(true);
  }

  return (
    <aside className={styles.offer} lang={offered} aria-label={m.name(offered)}>
      <p>{m.offer(offered)}</p>
      <ButtonLink quiet {...languageLink(page, offered)}>
        {m.accept(offered)}
      </ButtonLink>
      <IconButton label={m.dismiss(offered)} onClick={dismiss}>
        <X size={20} strokeWidth={1.5} aria-hidden />
      </IconButton>
    </aside>
  );
}
