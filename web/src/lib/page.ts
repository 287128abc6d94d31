import type { ComponentType } from "react";
import type { Page } from "./api.gen";

export type PageName = Page["page"];
export type PageOf<Name extends PageName> = Extract<Page, { page: Name }>;

// A page's component takes the whole page object. Which component fits is decided by its `page`
// field, which the type checker cannot follow through a lookup: so the maps are checked name by
// name, and what is looked up in them is cast.
export type PageComponent = ComponentType<Page>;
export type PageComponents = { [Name in PageName]: ComponentType<PageOf<Name>> };

export function isPage(value: unknown): value is Page {
  return typeof value === "object" && value !== null && "page" in value && "props" in value;
}
