import { expect, test } from "vitest";
import { physicalProperties } from "./check-styles";

const found = (declaration: string) => physicalProperties("a.css", `.a {\n  ${declaration}\n}\n`);

test.each([
  "margin-left: 0;",
  "padding-right: var(--space-1);",
  "border-left: 1px solid;",
  "border-top-left-radius: 4px;",
  "left: 0;",
  "text-align: right;",
  "float: left;",
  "padding: 0 var(--space-1) 0 0;",
  "margin: 0 calc(1px + 2px) 0 calc(1px - 2px);",
  "inset: auto 0 0 auto;",
])("finds %s", (declaration) => {
  expect(found(declaration)).toEqual([
    `a.css:2: "${declaration.slice(0, -1)}" has a logical form, such as inline-start`,
  ]);
});

test.each([
  "margin-inline-start: 0;",
  "text-align: start;",
  "padding: 0 var(--space-1);",
  "padding: 0 calc(1px + 2px) 1px calc(1px + 2px);",
  "inset: 0;",
  "--left: left;",
  "border-radius: 4px 4px 0 0;",
  "/* left: 0; */ color: red;",
])("leaves %s", (declaration) => expect(found(declaration)).toEqual([]));
