// Latin words in the snapshots of e-mails in Bangla.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { latinWords } from "./latin-words";

const EMAILS = join(import.meta.dirname, "../../crates/server/tests/email-snapshots");

const emails = (end: string) => readdirSync(EMAILS).filter((name) => name.endsWith(end));

// What the test's people have typed, its goods, and commands.
const TYPED = [
  "NUMBER",
  "CODE",
  "Rahim <Uddin>",
  "12 Market Lane",
  "Dhaka 1207",
  "Tarn Over-Ear Headphones",
  "(Sand)",
  "Skerry Turntable",
  "Warm <ears>",
  "Cooler:",
  "www.ears.example",
  "It advertises.",
  "Is the <b>oak</b> oiled?",
  "I ask because of the cat.",
  "order_emails",
];
const COMMAND = /haat (orders|reviews) [^<\n]*/g;

function readable(file: string): string {
  const text = readFileSync(join(EMAILS, file), "utf8").replace(COMMAND, "");
  if (file.endsWith(".txt")) return text.replace(/^Subject:/, "");
  const shown = text.replace(/<style.*?<\/style>|<[^>]+>/gs, " ");
  return shown
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replace(/&#?\w+;/g, " ");
}

test("no e-mail in Bangla has Latin words", () => {
  const files = [...emails(".bn.txt"), ...emails(".bn.html")];
  // Each also in English.
  expect(files.length).toBe(emails(".txt").length);
  for (const file of files) {
    const own = TYPED.reduce((text, typed) => text.replaceAll(typed, ""), readable(file));
    expect.soft(latinWords(own), file).toEqual([]);
  }
});
