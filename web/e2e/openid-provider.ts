// A real OpenID Connect provider in Google's place: the certified implementation, with its own
// sign-in and consent pages. It runs as localhost, another site than the shop at 127.0.0.1. Its
// warnings at the start are about production use; it no longer tests with Node 20, but works there.
import { generateKeyPairSync } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { type Interaction, interactionPolicy, Provider, type Result } from "oidc-provider";

const CLIENT = { id: "haat-at-the-provider", secret: "what only the shop and the provider know" };
const DAY = 24 * 3600;

export type Person = { sub: string; name: string; email: string; email_verified: boolean };

export interface OpenIdProvider {
  /** What a shop is told of it. */
  settings: string[];
  /** Lets a shop ask it, and no other. */
  admit(shop: string): void;
  know(person: Person): void;
  stop(): Promise<void>;
  /** Stops instead of answering at a path. */
  stopAt(path: string): void;
  /** Once more, where it was. */
  start(): Promise<void>;
}

export async function startProvider(): Promise<OpenIdProvider> {
  const people = new Map<string, Person>();
  let answer = (_: IncomingMessage, response: ServerResponse): unknown => response.end();
  let last = "";
  const server = createServer((request, response) =>
    request.url === last ? stop() : answer(request, response),
  );
  let port = 0;
  const start = async () => {
    await once(server.listen(port, "127.0.0.1"), "listening");
    ({ port } = server.address() as AddressInfo);
  };
  const stop = async () => {
    last = "";
    if (!server.listening) return;
    const closed = once(server, "close");
    server.close();
    server.closeAllConnections();
    await closed;
  };
  await start();
  const issuer = `http://localhost:${port}`;
  return {
    settings: [
      ...["--google-issuer", issuer],
      ...["--google-client-id", CLIENT.id],
      ...["--google-client-secret", CLIENT.secret],
    ],
    admit: (shop) => {
      answer = answers(issuer, shop, people);
    },
    know: (person) => {
      people.set(person.email, person);
    },
    stopAt: (path) => {
      last = path;
    },
    start,
    stop,
  };
}

function answers(issuer: string, shop: string, people: Map<string, Person>) {
  const policy = interactionPolicy.base();
  // Google's account chooser, which the shop requests.
  policy.add(new interactionPolicy.Prompt({ name: "select_account", requestable: true }), 0);
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const bySub = (sub: string) => [...people.values()].find((person) => person.sub === sub);

  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: CLIENT.id,
        client_secret: CLIENT.secret,
        redirect_uris: [`${shop}/auth/callback`],
        token_endpoint_auth_method: "client_secret_post",
      },
    ],
    jwks: { keys: [{ ...privateKey.export({ format: "jwk" }), alg: "RS256", use: "sig" }] },
    cookies: { keys: ["the provider's own"] },
    ttl: { Interaction: DAY, Session: DAY, Grant: DAY, AccessToken: DAY, IdToken: DAY },
    pkce: { required: () => true },
    claims: { email: ["email", "email_verified"], profile: ["name", "picture"] },
    // As Google does: all claims are in the ID token.
    conformIdTokenClaims: false,
    findAccount: (_: unknown, sub: string) => {
      const person = bySub(sub);
      const picture = `https://people.example/${sub}.png`;
      return person && { accountId: sub, claims: () => ({ ...person, picture }) };
    },
    features: { devInteractions: { enabled: false } },
    interactions: { policy, url: (_: unknown, { uid }: { uid: string }) => `/asked/${uid}` },
  });
  const protocol = provider.callback();

  async function interact(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const asked = await provider.interactionDetails(request, response);
    const here = bySub(asked.session?.accountId ?? "");
    if (request.method === "POST") {
      const result = await chosen(asked, new URLSearchParams(await text(request)));
      const options = { mergeWithLastSubmission: true };
      return await provider.interactionFinished(request, response, result, options);
    }
    const form = asked.prompt.name === "consent" ? CONSENT : whoForm(here);
    response.setHeader("content-type", "text/html; charset=utf-8");
    response.end(`<!doctype html><title>A real provider</title><form method="post">${form}</form>`);
  }

  async function chosen(asked: Interaction, form: URLSearchParams): Promise<Result> {
    const accountId = asked.session?.accountId ?? "";
    if (form.has("deny")) return { error: "access_denied" };
    if (asked.prompt.name !== "consent") {
      const sub = people.get(form.get("email") ?? "")?.sub ?? accountId;
      return { select_account: {}, login: { accountId: sub } };
    }
    const grant = new provider.Grant({ accountId, clientId: asked.params.client_id });
    grant.addOIDCScope((asked.prompt.details.missingOIDCScope ?? []).join(" "));
    return { consent: { grantId: await grant.save() } };
  }

  return (request: IncomingMessage, response: ServerResponse) =>
    request.url?.startsWith("/asked/") ? interact(request, response) : protocol(request, response);
}

const CONSENT =
  "<h1>May the shop know who you are?</h1><button>Allow</button><button name=deny>Deny</button>";

const whoForm = (here: Person | undefined) =>
  here === undefined
    ? "<h1>Who are you?</h1><label>Email <input name=email></label><button>Sign in</button>"
    : `<h1>Is it you?</h1><button>Continue as ${here.name}</button>`;
