import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import PostalMime, { type Email } from "postal-mime";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { dataFolder, open } from "./server";

// The shop as a process sends e-mails through a real mail server: plain, with STARTTLS, with
// implicit TLS; and with a failing server, password or certificate.

const name = { user: "haat", password: "pass word: ü€" };
/** Long enough for two retries, which come after 2 and 4 seconds, on a busy machine. */
const patience = { timeout: 120_000, interval: 20 };

let folder = "";
const folders: string[] = [];
const closing: (() => Promise<unknown>)[] = [];

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "haat-mail-"));
  folders.push(folder);
  certify();
});
afterAll(async () => {
  await Promise.all(closing.map((close) => close()));
  for (const one of folders) rmSync(one, { recursive: true, force: true });
});

/** Makes a private certificate authority and a certificate for localhost. */
function certify(): void {
  const openssl = (args: string) => {
    execFileSync("openssl", args.split(" "), { cwd: folder, stdio: "pipe" });
  };
  const key = "-newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout";
  writeFileSync(join(folder, "names"), "subjectAltName=DNS:localhost");
  openssl(`req -x509 ${key} ca.key -out ca.pem -subj /CN=Nobody -days 2`);
  openssl(`req ${key} key.pem -out request.pem -subj /CN=localhost`);
  openssl(
    "x509 -req -in request.pem -CA ca.pem -CAkey ca.key -CAcreateserial -days 2 -extfile names -out cert.pem",
  );
}

/** An e-mail as received, and how it was sent. */
interface Received {
  email: Email;
  raw: string;
  from: string;
  to: string[];
  user: string;
  secure: boolean;
  greeting: string;
}

/** A mail server on a free port, or on the given one. It accepts e-mails unless `take` throws. */
async function mailServer(
  options: SMTPServerOptions = {},
  take: (offered: number) => void = () => {},
  port = 0,
) {
  const got = { emails: [] as Received[], offered: [] as Email[], logins: 0 };
  const server = new SMTPServer({
    logger: false,
    authOptional: true,
    disableReverseLookup: true,
    closeTimeout: 100,
    cert: readFileSync(join(folder, "cert.pem")),
    key: readFileSync(join(folder, "key.pem")),
    async onData(stream, session, done) {
      try {
        const chunks: Buffer[] = [];
        for await (const chunk of stream) chunks.push(chunk as Buffer);
        const raw = Buffer.concat(chunks);
        const email = await PostalMime.parse(raw);
        got.offered.push(email);
        take(got.offered.length);
        got.emails.push({
          email,
          raw: raw.toString("latin1"),
          from: session.envelope.mailFrom ? session.envelope.mailFrom.address : "",
          to: session.envelope.rcptTo.map((to) => to.address),
          user: String(session.user || ""),
          secure: session.secure,
          greeting: String(session.hostNameAppearsAs),
        });
        done();
      } catch (why) {
        done(why as Error);
      }
    },
    ...options,
    onAuth(auth, session, done) {
      got.logins += 1;
      if (options.onAuth) return options.onAuth(auth, session, done);
      const known = auth.username === name.user && auth.password === name.password;
      done(known ? null : new Error("Who are you?"), known ? { user: name.user } : undefined);
    },
  });
  // Some of these tests abort a handshake.
  server.on("error", () => {});
  const listening = server.listen(port, "127.0.0.1");
  await once(listening, "listening");
  let closed: Promise<void> | undefined;
  const close = () => {
    closed ??= new Promise<void>((done) => server.close(done));
    return closed;
  };
  closing.push(close);
  return Object.assign(got, { port: (listening.address() as AddressInfo).port, close });
}

interface Shop {
  url: string;
  log: () => string;
  stop: () => Promise<void>;
}

/** Starts a shop that sends through the given server. */
async function shop(
  args: string[],
  env: Record<string, string> = {},
  data = newData(),
): Promise<Shop> {
  let log = "";
  const { url, stop } = await open(["serve", "--data-dir", data, ...args], env, (text) => {
    log += text;
  });
  closing.push(stop);
  return { url, log: () => log, stop };
}

function newData(): string {
  const data = dataFolder();
  folders.push(data);
  return data;
}

const smtp = (tls: string, port: number, host = "localhost") => [
  ...["--smtp-host", host, "--smtp-port", String(port), "--smtp-tls", tls],
  ...["--email", "hello@haat.example"],
];
const login = ["--smtp-user", name.user, "--smtp-password", name.password];
/** Trusts the test's certificate authority. */
const trusting = () => ({ SSL_CERT_FILE: join(folder, "ca.pem") });

async function call(at: Shop, method: string, body: object) {
  const answer = await fetch(
    `${at.url}/identitytoolkit.googleapis.com/v1/accounts:${method}?key=haat-storefront`,
    {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    },
  );
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
}

/** Signs up and requests a verification e-mail. */
async function signUp(at: Shop, email: string): Promise<void> {
  const account = await call(at, "signUp", { email, password: "Secret1!" });
  expect(account.status, JSON.stringify(account.body)).toBe(200);
  const idToken = account.body.idToken;
  const sent = await call(at, "sendOobCode", { requestType: "VERIFY_EMAIL", idToken });
  expect(sent.status, JSON.stringify(sent.body)).toBe(200);
}

/** The only e-mail, once it has arrived. */
async function onlyEmail(emails: Received[]): Promise<Received> {
  await vi.waitFor(() => expect(emails).toHaveLength(1), patience);
  return emails[0] as Received;
}

function failures(at: Shop): number {
  return at.log().split("job failed").length - 1;
}

describe.concurrent("an e-mail", { timeout: 300_000 }, () => {
  test.each([
    { tls: "never", host: "127.0.0.1", secure: false, auth: false },
    { tls: "never", host: "localhost", secure: false, auth: true },
    { tls: "starttls", host: "localhost", secure: true, auth: true },
    { tls: "always", host: "localhost", secure: true, auth: true },
    { tls: "starttls", host: "localhost", secure: true, auth: false },
  ])("arrives: TLS $tls, signed in $auth", async ({ tls, host, secure, auth }) => {
    const server = await mailServer({
      secure: tls === "always",
      authOptional: !auth,
      allowInsecureAuth: tls === "never",
      disabledCommands: tls === "never" ? ["STARTTLS"] : [],
    });
    const args = [...smtp(tls, server.port, host), ...(auth ? login : [])];
    const from = ["--mail-from", "Haat & Söhne <post@haat.example>", "--shop-name", "Haat & Söhne"];
    const sender = await shop([...args, ...from], trusting());
    await signUp(sender, "anna@haat.example");
    const { email, raw, ...envelope } = await onlyEmail(server.emails);

    const to = ["anna@haat.example"];
    const user = auth ? name.user : "";
    const greeting = "haat.example";
    expect(envelope).toEqual({ from: "post@haat.example", to, user, secure, greeting });
    expect(email.from).toMatchObject({ name: "Haat & Söhne", address: "post@haat.example" });
    expect(email.to).toMatchObject([{ address: "anna@haat.example" }]);
    expect(email.subject).toMatch(/\w/);
    expect(email.messageId).toMatch(/^<[\w-]{10,}@haat\.example>$/);
    expect(Math.abs(Date.parse(email.date ?? "") - Date.now())).toBeLessThan(60_000);
    expect(raw).toMatch(/content-type: multipart\/alternative/i);
    // SMTP lines have at most 998 characters and end with CRLF.
    for (const line of raw.split("\r\n")) {
      expect(line.length).toBeLessThanOrEqual(998);
      expect(line).not.toMatch(/[\r\n]/);
    }

    // Both parts have the same link, which verifies the address once.
    expect(email.html).toContain("Haat &amp; Söhne");
    expect(email.text).toContain("Haat & Söhne");
    const link = /http:\/\/\S+/.exec(email.text ?? "")?.[0] ?? "";
    expect(email.html).toContain(`href="${link.replaceAll("&", "&amp;")}"`);
    const { origin, searchParams } = new URL(link);
    expect(origin).toBe(sender.url);
    const oobCode = searchParams.get("oobCode");
    const proved = await call(sender, "update", { oobCode });
    expect(proved).toMatchObject({ status: 200, body: { emailVerified: true, email: to[0] } });
    expect((await call(sender, "update", { oobCode })).status).toBe(400);

    expect((await fetch(`${sender.url}/dev/mail`)).status).toBe(404);
    expect(failures(sender)).toBe(0);
    expect(sender.log()).not.toContain(name.password);
    await sender.stop();
    // A verified address gets a welcome e-mail.
    const same = server.emails.filter(({ email: one }) => one.messageId === email.messageId);
    expect(same).toHaveLength(1);
  });

  test("that is refused temporarily is sent again as the same e-mail", async () => {
    const server = await mailServer({ disabledCommands: ["STARTTLS", "AUTH"] }, (offered) => {
      if (offered === 1) throw Object.assign(new Error("Come back later"), { responseCode: 451 });
    });
    const sender = await shop(smtp("never", server.port));
    await signUp(sender, "bob@haat.example");
    const { email } = await onlyEmail(server.emails);
    expect(server.offered.map(({ messageId }) => messageId)).toEqual([
      email.messageId,
      email.messageId,
    ]);
    expect(failures(sender)).toBe(1);
    expect(sender.log()).toContain("Come back later");
  });

  test("waits for the right password", async () => {
    let right = false;
    const server = await mailServer({
      authOptional: false,
      onAuth(_auth, _session, done) {
        done(right ? null : new Error("Who are you?"), right ? { user: name.user } : undefined);
      },
    });
    const sender = await shop([...smtp("starttls", server.port), ...login], trusting());
    await signUp(sender, "carol@haat.example");
    await vi.waitFor(() => expect(failures(sender)).toBeGreaterThan(1), patience);
    expect(server.emails).toEqual([]);
    right = true;
    const { secure } = await onlyEmail(server.emails);
    expect(secure).toBe(true);
    expect(sender.log()).toContain("Who are you?");
    expect(sender.log()).not.toContain(name.password);
  });

  test.each([
    { why: "a certificate that nobody vouches for", tls: "starttls", host: "localhost", env: {} },
    { why: "the same, from the first byte", tls: "always", host: "localhost", env: {} },
    { why: "another host's certificate", tls: "starttls", host: "127.0.0.1", env: trusting },
    { why: "a server without STARTTLS", tls: "starttls", host: "localhost", env: trusting },
  ])("waits, with its password, before $why", async ({ why, tls, host, env }) => {
    const plain = why.includes("without");
    const secure = tls === "always";
    const bad = await mailServer({
      secure,
      allowInsecureAuth: true,
      disabledCommands: plain ? ["STARTTLS"] : [],
    });
    const data = newData();
    const settings = typeof env === "function" ? env() : env;
    const sender = await shop([...smtp(tls, bad.port, host), ...login], settings, data);
    await signUp(sender, "dave@haat.example");
    await vi.waitFor(() => expect(failures(sender)).toBeGreaterThan(0), patience);
    expect([bad.offered.length, bad.logins]).toEqual([0, 0]);
    expect(sender.log()).not.toContain(name.password);
    await sender.stop();

    // With the right settings, the shop sends what was queued.
    const good = await mailServer({ secure, authOptional: false });
    await shop([...smtp(tls, good.port), ...login], trusting(), data);
    const { to } = await onlyEmail(good.emails);
    expect(to).toEqual(["dave@haat.example"]);
  });

  test("goes out after the server was down, and none twice", async () => {
    const first = await mailServer({ disabledCommands: ["STARTTLS", "AUTH"] });
    const sender = await shop(smtp("never", first.port));
    await signUp(sender, "erin@haat.example");
    await onlyEmail(first.emails);
    await first.close();
    await signUp(sender, "frank@haat.example");
    await vi.waitFor(() => expect(failures(sender)).toBeGreaterThan(0), patience);
    const second = await mailServer(
      { disabledCommands: ["STARTTLS", "AUTH"] },
      () => {},
      first.port,
    );
    await signUp(sender, "grace@haat.example");
    const to = () => second.emails.flatMap((email) => email.to).sort();
    const both = ["frank@haat.example", "grace@haat.example"];
    await vi.waitFor(() => expect(to()).toEqual(both), patience);
    await sender.stop();
    expect(to()).toEqual(both);
  });
});
