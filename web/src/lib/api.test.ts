import { afterEach, expect, test } from "vitest";
import { errorMessage, readError } from "./api";
import { setLanguage } from "./language";

const speak = (language: string) => setLanguage({ language, shop: { languages: ["en", "bn"] } });

afterEach(() => speak("en"));

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
