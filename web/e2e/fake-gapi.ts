// A fake of Google's gapi.iframes script, which the SDK loads from Google's host: as much of it as
// the SDK and the emulator's page use.
import type { BrowserContext } from "@playwright/test";

export async function fakeGapi(context: BrowserContext): Promise<void> {
  await context.route("https://apis.google.com/**", async (route) => {
    const loaded = new URL(route.request().url()).searchParams.get("onload") ?? "gapi_onload";
    const body = `${SCRIPT}window[${JSON.stringify(loaded)}]?.();`;
    await route.fulfill({ contentType: "text/javascript", body });
  });
}

// Messages sent before a handler is registered are lost.
const SCRIPT = `{
  const ends = new Map();
  function end(other) {
    const handlers = {};
    const answers = new Map();
    let ready;
    const isReady = new Promise((done) => { ready = done; });
    const frame = {
      restyle: async () => {},
      register(name, handler) { handlers[name] = handler; },
      ping: (answered) => isReady.then(answered),
      send(name, data, answered) {
        const id = String(Math.random());
        answers.set(id, answered);
        other.postMessage({ gapi: "call", name, data, id }, "*");
      },
    };
    ends.set(other, {
      frame,
      ready,
      answer: ({ id, result }) => answers.get(id)?.(result),
      async call({ name, data, id }) {
        if (!handlers[name]) return;
        const result = [await handlers[name](data)];
        other.postMessage({ gapi: "answer", id, result }, "*");
      },
    });
    return frame;
  }
  addEventListener("message", ({ source, data }) => {
    if (typeof data?.gapi === "string") ends.get(source)?.[data.gapi](data);
  });
  window.gapi = {
    load: (what, { callback }) => callback(),
    iframes: {
      CROSS_ORIGIN_IFRAMES_FILTER: null,
      Iframe: Object,
      getContext: () => ({
        getParentIframe: () => ends.get(window.parent)?.frame ?? end(window.parent),
        open({ where, url, attributes }, opened) {
          const iframe = document.createElement("iframe");
          iframe.src = url;
          Object.assign(iframe.style, attributes.style);
          where.append(iframe);
          return opened(end(iframe.contentWindow));
        },
      }),
    },
  };
  if (window.parent !== window) window.parent.postMessage({ gapi: "ready" }, "*");
}`;
