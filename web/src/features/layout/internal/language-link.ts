import type { ComponentProps } from "react";
import type { Page } from "../../../lib/api.gen";
import { chooseLanguage, currentAddressIn, localUrl } from "../../../lib/language";

type Link = Omit<ComponentProps<"a">, "ref"> & { "data-language": string };

// The attributes of a link to the page in another language. Without JavaScript it leads to the page's
// own address, and from a page that has none, home. With it, it leads to the address that is shown when
// the link is used, also in a new tab.
export function languageLink(page: Page, code: string): Link {
  const setAddress = ({ currentTarget: link }: { currentTarget: HTMLAnchorElement }) => {
    link.href = currentAddressIn(code);
  };
  return {
    href: localUrl(page.url || "/", code),
    hrefLang: code,
    "data-language": code,
    onPointerDown: setAddress,
    onFocus: setAddress,
    onClick(event) {
      chooseLanguage(code);
      setAddress(event);
    },
  };
}
