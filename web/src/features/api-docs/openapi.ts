// Reads an OpenAPI 3.1 document for display. The document is untrusted: whatever is missing or
// malformed is left out.

export type ApiDoc = {
  title: string;
  version: string;
  description: string;
  groups: { tag: string; operations: Operation[] }[];
  schemas: { name: string; description: string; type: string; fields: DocField[] }[];
};

export type Operation = {
  method: string;
  path: string;
  summary: string;
  description: string;
  security: Security | null;
  parameters: DocField[];
  body: string | null;
  responses: { status: string; description: string; type: string | null }[];
};

// The bearer token of an operation.
export type Security = { scheme: string; description: string; required: boolean };

// For a parameter, `place` is path, query or header.
export type DocField = {
  name: string;
  place: string;
  type: string;
  required: boolean;
  description: string;
};

type JsonObject = Record<string, unknown>;

const METHODS = ["get", "post", "put", "patch", "delete"];

export function readOpenApi(document: unknown): ApiDoc {
  const doc = object(document);
  const info = object(doc.info);
  const components = object(doc.components);
  return {
    title: text(info.title) || "API",
    version: text(info.version),
    description: text(info.description),
    groups: grouped(doc),
    schemas: Object.entries(object(components.schemas)).map(([name, value]) => {
      const schema = object(value);
      return {
        name,
        description: text(schema.description),
        type: typeOf(schema),
        fields: fieldsOf(schema),
      };
    }),
  };
}

function grouped(doc: JsonObject): ApiDoc["groups"] {
  const components = object(doc.components);
  const groups = new Map<string, Operation[]>();
  for (const [path, item] of Object.entries(object(doc.paths))) {
    const common = list(object(item).parameters);
    for (const method of METHODS) {
      const value = object(item)[method];
      if (value === undefined) continue;
      const tag = text(list(object(value).tags)[0]) || "Other";
      const group = groups.get(tag) ?? [];
      group.push(operation(method, path, object(value), common, components));
      groups.set(tag, group);
    }
  }
  return [...groups].map(([tag, operations]) => ({ tag, operations }));
}

function operation(
  method: string,
  path: string,
  value: JsonObject,
  common: unknown[],
  components: JsonObject,
): Operation {
  const shared = object(components.parameters);
  const parameters = [...common, ...list(value.parameters)].map((entry) => {
    const reference = text(object(entry).$ref);
    return reference === "" ? object(entry) : object(shared[lastPart(reference)]);
  });
  return {
    method: method.toUpperCase(),
    path,
    summary: text(value.summary),
    description: text(value.description),
    security: securityOf(value, object(components.securitySchemes)),
    parameters: parameters.map((parameter) => ({
      name: text(parameter.name),
      place: text(parameter.in),
      type: typeOf(parameter.schema),
      required: parameter.required === true,
      description: text(parameter.description),
    })),
    body: contentType(value.requestBody),
    responses: Object.entries(object(value.responses)).map(([status, response]) => ({
      status,
      description: text(object(response).description),
      type: contentType(response),
    })),
  };
}

// An empty alternative means that the call works without a token too.
function securityOf(value: JsonObject, schemes: JsonObject): Security | null {
  const alternatives = list(value.security).map((one) => Object.keys(object(one)));
  const [scheme] = alternatives.flat();
  if (scheme === undefined) return null;
  const required = alternatives.every((names) => names.length > 0);
  return { scheme, description: text(object(schemes[scheme]).description), required };
}

function contentType(owner: unknown): string | null {
  const [media] = Object.values(object(object(owner).content));
  return media === undefined ? null : typeOf(object(media).schema);
}

function fieldsOf(schema: JsonObject): DocField[] {
  const required = list(schema.required);
  const own = Object.entries(object(schema.properties)).map(([name, value]) => ({
    name,
    place: "",
    type: typeOf(value),
    required: required.includes(name),
    description: text(object(value).description),
  }));
  return [...list(schema.allOf).flatMap((part) => fieldsOf(object(part))), ...own];
}

// A schema as a short type: "string", "Product[]", "USD | BDT", "string | null".
export function typeOf(value: unknown): string {
  const schema = object(value);
  if (typeof schema.$ref === "string") return lastPart(schema.$ref);
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (Array.isArray(schema.enum)) return schema.enum.map((one) => JSON.stringify(one)).join(" | ");
  const choices = list(schema.oneOf ?? schema.anyOf);
  if (choices.length > 0) return choices.map(typeOf).join(" | ");
  const all = list(schema.allOf);
  if (all.length > 0) return all.map(typeOf).join(" & ");
  const types = (Array.isArray(schema.type) ? schema.type : [schema.type]).map(text);
  return types.map((type) => plainType(type, schema)).join(" | ");
}

function plainType(type: string, schema: JsonObject): string {
  if (type === "array") {
    const item = typeOf(schema.items);
    return item.includes(" ") ? `(${item})[]` : `${item}[]`;
  }
  if (type === "") return schema.properties === undefined ? "any" : "object";
  const format = text(schema.format);
  return format === "" || type === "null" ? type : `${type} (${format})`;
}

function lastPart(reference: string): string {
  return reference.slice(reference.lastIndexOf("/") + 1);
}

function object(value: unknown): JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as JsonObject)
    : {};
}

function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}
