import { expect, test } from "vitest";
import { recipientKey, recipientsToSend, sendingDays, typedRecipients } from "./recipients";

test("only what is typed is sent, of the lines that are bought", () => {
  const typed = {
    [recipientKey("a")]: { email: " mina@mail.example ", sendOn: "" },
    [recipientKey("7")]: { email: "", sendOn: "2026-12-24" },
    [recipientKey("empty")]: { email: " ", sendOn: "" },
    [recipientKey("gone")]: { email: "karim@mail.example", sendOn: "" },
  };
  const sent = recipientsToSend(["a", "7", "empty", "other"], typed);
  expect(sent).toEqual([
    { line: "a", email: "mina@mail.example" },
    { line: "7", sendOn: "2026-12-24" },
  ]);
  expect(recipientsToSend(["a", "7"], typedRecipients(sent))).toEqual(sent);
  expect(typedRecipients()).toEqual({});
});

test("a card is sent from today to one year ahead", () => {
  const days = sendingDays(new Date(2026, 0, 5, 23, 59));
  expect(days).toEqual({ first: "2026-01-05", last: "2027-01-05" });
});
