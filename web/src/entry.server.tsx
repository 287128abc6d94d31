// Server rendering entry, run in QuickJS: props in as JSON, markup out. No I/O, no clock, no
// randomness.
import { renderToString } from "react-dom/server";
import { App } from "./app";
import type { Page } from "./lib/api.gen";
import { setLanguage } from "./lib/language";
import type { PageComponent } from "./lib/page";

const components = import.meta.glob<PageComponent>("./pages/*.tsx", {
  eager: true,
  import: "default",
});

// React writes the <head> elements before the rest of the markup.
const HEAD = /^(?:<title[^>]*>[^<]*<\/title>|<(?:meta|link)\b[^>]*>)+/;

function render(json: string): [head: string, body: string] {
  const page = JSON.parse(json) as Page;
  setLanguage(page);
  const component = components[`./pages/${page.page}.tsx`] as PageComponent;
  const html = renderToString(<App page={page} component={component} />);
  const head = HEAD.exec(html)?.[0] ?? "";
  return [head, html.slice(head.length)];
}

Object.assign(globalThis, { render });
