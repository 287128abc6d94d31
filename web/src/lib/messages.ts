// What visitors send to the shop by its forms.
import type { ErrorBody, NewMessage, NewSubscriber } from "./api.gen";

// What went wrong, and in which field where it was one.
export type Trouble = { field: string | null; message: string };

export function sendMessage(message: NewMessage): Promise<Trouble | null> {
  return send("/api/contact", message);
}

export function askForLetter(subscriber: NewSubscriber): Promise<Trouble | null> {
  return send("/api/newsletter", subscriber);
}

async function send(address: string, body: object): Promise<Trouble | null> {
  try {
    const answer = await fetch(address, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    if (answer.ok) return null;
    const { error } = (await answer.json()) as ErrorBody;
    const [field] = error.fields ?? [];
    return field
      ? { field: field.name, message: field.message }
      : { field: null, message: error.message };
  } catch {
    return { field: null, message: "The shop cannot be reached. Please try again in a moment." };
  }
}
