import { describe, expect, test } from "vitest";
import { build, fill, type Json, match, pick } from "./match";

/** A reference to a captured value, as in fixtures. */
const kept = (name: string) => `\${${name}}`;
const token = (claims: Json) => build({ jwt: claims }, {}) as string;

describe("match", () => {
  test("literals are equal or differ, and types count", () => {
    expect(match("a", "a")).toEqual([]);
    expect(match(1, 1)).toEqual([]);
    expect(match(null, null)).toEqual([]);
    expect(match("1", 1)).toEqual(['$: 1 instead of "1"']);
    expect(match(false, null)).toEqual(["$: null instead of false"]);
  });

  test.each<[string, Json, Json]>([
    ["{string}", "x", ""],
    ["{string}", "x", 1],
    ["{number}", 1, "1"],
    ["{ms}", "1700000000000", "1700000000"],
    ["{ms}", "1700000000000", 1700000000000],
    ["{seconds}", "1700000000", "1700000000000"],
    ["{iso}", "2026-01-02T03:04:05.678Z", "2026-01-02"],
    ["{jwt}", token({ sub: "a" }), "a.b"],
  ])("%s matches %j and not %j", (pattern, good, bad) => {
    expect(match(pattern, good)).toEqual([]);
    expect(match(pattern, bad)).toHaveLength(1);
  });

  test("a text of which only the beginning counts", () => {
    expect(match("CODE : {string}", "CODE : why")).toEqual([]);
    expect(match("CODE : {string}", "CODE : ")).toHaveLength(1);
    expect(match("CODE : {string}", "OTHER : why")).toHaveLength(1);
  });

  test("an object has exactly the keys of its pattern", () => {
    expect(match({ a: 1, b: "{any}" }, { a: 1, b: null })).toEqual([]);
    expect(match({ a: 1, b: "{any}" }, { a: 1 })).toEqual(["$.b: missing"]);
    expect(match({ a: 1 }, { a: 1, c: 2 })).toEqual(["$.c: unexpected: 2"]);
    expect(match({ a: 1, "...": true }, { a: 1, c: 2 })).toEqual([]);
    expect(match({ a: 1 }, [1])).toEqual(["$: [1] is not an object"]);
  });

  test("absent and optional keys", () => {
    expect(match({ a: "{absent}", "...": true }, { b: 1 })).toEqual([]);
    expect(match({ a: "{absent}", "...": true }, { a: 1 })).toEqual(["$.a: present: 1"]);
    expect(match({ a: "{optional}" }, {})).toEqual([]);
    expect(match({ a: "{optional}" }, { a: 1 })).toEqual([]);
  });

  test("a list matches element by element", () => {
    expect(match([1, "{string}"], [1, "x"])).toEqual([]);
    expect(match([1], [1, 2])).toEqual(["$: 2 elements instead of 1: [1,2]"]);
    expect(match([{ a: 1 }], [{ a: 2 }])).toEqual(["$[0].a: 2 instead of 1"]);
    expect(match([], {})).toEqual(["$: {} is not a list"]);
  });

  test("the rest of a list", () => {
    expect(match({ last: ["b", "c"] }, ["a", "b", "c"])).toEqual([]);
    expect(match({ last: ["b"] }, [])).toHaveLength(1);
    expect(match({ last: ["b"] }, ["b", "c"])).toEqual(['$<last>[0]: "c" instead of "b"']);
  });

  test("the claims of a token, except its jti", () => {
    const pattern = { jwt: { sub: kept("uid"), iat: "{number}" } };
    const names = { uid: "u1" };
    expect(match(pattern, token({ sub: "u1", iat: 1 }), names)).toEqual([]);
    expect(match(pattern, token({ sub: "u1", iat: 1, jti: "x" }), names)).toEqual([]);
    expect(match(pattern, token({ sub: "u2", iat: 1 }), names)).toEqual([
      '$<jwt>.sub: "u2" instead of "u1"',
    ]);
    expect(match(pattern, "u1", names)).toEqual(['$: "u1" is not a JWT']);
  });

  test("JSON in a string", () => {
    expect(match({ json: { a: 1 } }, '{"a":1}')).toEqual([]);
    expect(match({ json: { a: 1 } }, "{a}")).toEqual(['$: "{a}" is not a string of JSON']);
  });

  test("the parts of a URL, whatever the order of its query", () => {
    const pattern = { url: { at: `${kept("base")}/x`, query: { a: "1", b: "2" } } };
    const names = { base: "http://127.0.0.1:9" };
    expect(match(pattern, "http://127.0.0.1:9/x?b=2&a=1", names)).toEqual([]);
    expect(match(pattern, "http://127.0.0.1:9/y?b=2&a=1", names)).toHaveLength(1);
    expect(match(pattern, "nowhere", names)).toEqual(['$: "nowhere" is not a URL']);
  });
});

describe("templates", () => {
  test("captured values are substituted, and an unknown name is an error", () => {
    expect(fill(`a ${kept("x")} b ${kept("x")}`, { x: "1" })).toBe("a 1 b 1");
    expect(() => fill(kept("x"), {})).toThrow("nothing was kept as x");
  });

  test("bodies hold JSON, forms and unsigned tokens as text", () => {
    const names = { uid: "u&1" };
    expect(build({ a: [kept("uid"), 1, null] }, names)).toEqual({ a: ["u&1", 1, null] });
    expect(build({ token: { json: { uid: kept("uid") } } }, names)).toEqual({
      token: '{"uid":"u&1"}',
    });
    expect(build({ form: { id_token: { json: { sub: "a" } }, x: kept("uid") } }, names)).toBe(
      "id_token=%7B%22sub%22%3A%22a%22%7D&x=u%261",
    );
    expect(match({ jwt: { sub: "u&1" } }, build({ jwt: { sub: kept("uid") } }, names))).toEqual([]);
  });

  test("paths", () => {
    const value = { codes: [{ code: "1" }, { code: "2" }] };
    expect(pick(value, "$.codes[0].code")).toBe("1");
    expect(pick(value, "$.codes[-1].code")).toBe("2");
    expect(pick(value, "$.codes[5].code")).toBeUndefined();
    expect(pick(value, "$.users[0].code")).toBeUndefined();
  });
});
