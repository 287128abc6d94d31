// The popup window for social sign-in. Our server talks to the provider and posts a one-time code
// to this window alone.
import type { Provider } from "../../lib/api.gen";
import { language } from "../../lib/language";

const WIDTH = 500;
const HEIGHT = 600;
const LOOK_EVERY = 250;
// A popup that has finished closes too; its message may still be on the way.
const CLOSED_FOR = 2_000;

// Error codes of the popup where the identity service uses others. "The shop cannot reach the
// provider" is not "the visitor cannot reach the shop".
const CODES: Record<string, string> = {
  access_denied: "user-cancelled",
  "network-request-failed": "provider-unreachable",
};

type Answer = { type: "haat:auth"; state: string; code?: string; error?: string };

let cancelLast = (): void => {};

// Resolves to the code; rejects with an identity service error code. Must be called in a click
// handler before any await, or browsers block the popup.
export function openProviderPopup(provider: Provider): Promise<string> {
  cancelLast();
  const state = Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, "0"),
  ).join("");
  const query = new URLSearchParams({ provider, state, language: language() });
  const popup = open(`/auth/start?${query}`, "_blank", features());
  if (popup === null) return Promise.reject({ code: "auth/popup-blocked" });

  return new Promise((resolve, reject) => {
    let closed: ReturnType<typeof setTimeout> | undefined;
    const watch = setInterval(() => {
      if (!popup.closed || closed !== undefined) return;
      closed = setTimeout(() => end(() => fail("popup-closed-by-user")), CLOSED_FOR);
    }, LOOK_EVERY);

    const fail = (code: string) => reject({ code: `auth/${code}` });
    const end = (settle: () => void) => {
      clearInterval(watch);
      clearTimeout(closed);
      removeEventListener("message", listen);
      popup.close();
      settle();
    };
    const listen = (event: MessageEvent<unknown>) => {
      if (event.origin !== location.origin || event.source !== popup) return;
      const answer = event.data;
      if (!isAnswer(answer) || answer.state !== state) return;
      const { code, error = "internal-error" } = answer;
      end(() => (code === undefined ? fail(CODES[error] ?? error) : resolve(code)));
    };

    cancelLast = () => end(() => fail("cancelled-popup-request"));
    addEventListener("message", listen);
  });
}

function isAnswer(data: unknown): data is Answer {
  return typeof data === "object" && data !== null && "type" in data && data.type === "haat:auth";
}

function features(): string {
  const left = Math.max(0, screenX + (outerWidth - WIDTH) / 2);
  const top = Math.max(0, screenY + (outerHeight - HEIGHT) / 2);
  return `popup,width=${WIDTH},height=${HEIGHT},left=${Math.round(left)},top=${Math.round(top)}`;
}
