import { expect, test } from "vitest";
import { readOpenApi, typeOf } from "./openapi";

test.each([
  [{ type: "string" }, "string"],
  [{ type: "integer", format: "int64" }, "integer (int64)"],
  [{ $ref: "#/components/schemas/Product" }, "Product"],
  [{ type: "array", items: { $ref: "#/components/schemas/Product" } }, "Product[]"],
  [{ type: ["string", "null"] }, "string | null"],
  [{ enum: ["USD", "BDT"] }, '"USD" | "BDT"'],
  [{ oneOf: [{ type: "null" }, { $ref: "#/x/Offer" }] }, "null | Offer"],
  [{ type: "array", items: { type: ["string", "null"] } }, "(string | null)[]"],
  [{ properties: {} }, "object"],
  [{}, "any"],
])("%j", (schema, words) => {
  expect(typeOf(schema)).toBe(words);
});

test("groups operations by tag, with parameters of the path and of components", () => {
  const doc = readOpenApi({
    info: { title: "API", version: "1" },
    paths: {
      "/a/{id}": {
        parameters: [{ $ref: "#/components/parameters/Id" }],
        get: { tags: ["One"], responses: { 200: { description: "Yes" } } },
        delete: { responses: {} },
      },
    },
    components: { parameters: { Id: { name: "id", in: "path", required: true } } },
  });
  expect(doc.groups.map(({ tag }) => tag)).toEqual(["One", "Other"]);
  expect(doc.groups[0]?.operations[0]?.parameters[0]).toMatchObject({ name: "id", required: true });
});

test("names the token of an operation, and whether it is required", () => {
  const doc = readOpenApi({
    paths: {
      "/a": {
        get: { security: [{ accessToken: [] }] },
        post: { security: [{}, { accessToken: [] }] },
        put: {},
      },
    },
    components: { securitySchemes: { accessToken: { type: "http", description: "From /jwt" } } },
  });
  const token = { scheme: "accessToken", description: "From /jwt" };
  expect(doc.groups[0]?.operations.map(({ security }) => security)).toEqual([
    { ...token, required: true },
    { ...token, required: false },
    null,
  ]);
});

test("renders malformed documents as an empty page", () => {
  for (const nonsense of [null, 7, "x", [], { paths: [1], components: { schemas: 3 } }]) {
    expect(readOpenApi(nonsense).groups).toEqual([]);
  }
});
