import { afterEach, expect, test, vi } from "vitest";
import { errorMessage, fetchJson, readError } from "./api";
import { setCurrency } from "./currency";
import { setLanguage } from "./language";

const speak = (language: string) => setLanguage({ language, shop: { languages: ["en", "bn"] } });

afterEach(() => {
  speak("en");
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

async function read(error: unknown, status = 409) {
  return readError(new Response(JSON.stringify({ error }), { status }));
}

test("makes the sentence from the code and its parameters", async () => {
  const full = { code: "cart_full", message: "A cart holds…", params: { most: "100" } };
  expect((await read(full)).message).toBe("A cart holds at most 100 products.");
  speak("bn");
  expect((await read(full)).message).toMatch(/^[^a-z]*১০০[^a-z]*$/);
  expect(
    (await read({ code: "not_found", message: "", params: { what: "order" } })).message,
  ).toMatch(/^[^a-z]+$/);
});

test("what is wrong with a field is said at the field, and for the whole", async () => {
  const email = { name: "email", code: "bad_email", message: "x" };
  const id = { name: "id", code: "malformed", message: "x" };
  const { message, fields } = await read(
    { code: "invalid", message: "x", fields: [id, email] },
    422,
  );
  expect(message).toBe("Please write the whole address, like name@example.com");
  expect(fields?.map((field) => field.message)).toEqual([
    "Something in what you sent is not right. Please look through it once more.",
    "Please write the whole address, like name@example.com",
  ]);
});

test("what has no sentence is said in general", async () => {
  const general = "Something went wrong. Please try again in a moment.";
  expect((await read({ code: "never_heard_of", message: "x" })).message).toBe(general);
  expect((await readError(new Response("<html>", { status: 502 }))).message).toBe(general);
  expect(errorMessage(new TypeError("Failed to fetch"))).toBe(
    "The shop cannot be reached. Please try again.",
  );
});

test("asks for amounts in the currency of the page, which is loaded again once it is withdrawn", async () => {
  const asked: unknown[] = [];
  const age = vi.spyOn(performance, "now").mockReturnValue(60_000);
  const reload = vi.fn();
  vi.stubGlobal("location", { reload });
  let error = "";
  vi.stubGlobal("fetch", async (_: string, { headers }: RequestInit) => {
    asked.push((headers as Record<string, string>)["x-currency"]);
    return error === ""
      ? Response.json({})
      : Response.json({ error: { code: error } }, { status: 400 });
  });
  setCurrency({ currency: "BDT", currencies: ["USD", "BDT"] });
  await fetchJson("/api/quote");
  expect(asked).toEqual(["BDT"]);
  error = "invalid";
  await expect(fetchJson("/api/quote")).rejects.toThrow();
  expect(reload).not.toHaveBeenCalled();
  error = "unknown_currency";
  await expect(fetchJson("/api/quote")).rejects.toThrow();
  expect(reload).toHaveBeenCalledTimes(1);
  // That did not help.
  age.mockReturnValue(500);
  await expect(fetchJson("/api/quote")).rejects.toThrow();
  expect(reload).toHaveBeenCalledTimes(1);
});
