import type { ComponentType } from "react";
import type { Page } from "./api.gen";

export type PageName = Page["page"];
export type PageOf<Name extends PageName> = Extract<Page, { page: Name }>;

// A page's component takes the whole envelope. Which one fits which envelope is decided by the
// envelope's own `page`, a link that the type checker cannot follow through a lookup: so the maps
// are checked, name by name, and what is looked up in them is taken to fit.
export type Screen = ComponentType<Page>;
export type Screens = { [Name in PageName]: ComponentType<PageOf<Name>> };

export function isPage(value: unknown): value is Page {
  return typeof value === "object" && value !== null && "page" in value && "props" in value;
}
