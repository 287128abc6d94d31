import type { ComponentType } from "react";
import type { Page } from "./api.gen";

export type PageName = Page["page"];
export type PageOf<Name extends PageName> = Extract<Page, { page: Name }>;

// A page's component takes the whole page object. The type checker cannot follow that the file of a
// name takes the page of that name: page-registry.test.ts checks it.
export type PageComponent = ComponentType<Page>;

export function isPage(value: unknown): value is Page {
  return typeof value === "object" && value !== null && "page" in value && "props" in value;
}
