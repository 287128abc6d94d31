// Servers for the tests, each a process on a free port.
import { execFile, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import type { ServerInfo } from "./environment";

const web = resolve(import.meta.dirname, "..");
const binary = resolve(web, process.env.HAAT_TEST_BIN ?? "../target/debug/haat");

/** A running emulator to use instead of ours: Google's, to check these suites. */
const other = process.env.HAAT_TEST_IDENTITY_URL?.replace(/\/$/, "");
export const google = other !== undefined;

export interface Server extends ServerInfo {
  /** Its data directory; an emulator has none. */
  folder: string;
  stop(): Promise<void>;
}

export async function emulator(): Promise<Server> {
  const place = {
    mode: "emulator",
    apiKey: "any-key",
    projectId: "demo-haat",
    folder: "",
  } as const;
  if (other !== undefined) return { ...place, url: other, stop: async () => {} };
  return { ...place, ...(await open(["identity", "--emulator", "--project-id", "demo-haat"])) };
}

/** As in production, but with a readable mailbox. */
export async function hardened(projectId = "haat"): Promise<Server> {
  return await withFolder(projectId, "identity", "--demo", "--project-id", projectId);
}

/** The whole shop, which includes the identity service. */
export async function shop(): Promise<Server> {
  return await withFolder("haat", "serve", "--demo");
}

export interface ServiceAccount {
  type: string;
  project_id: string;
  private_key_id: string;
  private_key: string;
  client_email: string;
}

/** A new service account: the text of its file, as Google's console would give it. */
export async function serviceAccount(server: Server, name: string): Promise<string> {
  const project = ["--project-id", server.projectId];
  return await run("service-account", "create", name, "--data-dir", server.folder, ...project);
}

/** A bearer token for admin calls. */
export async function bearer(file: string): Promise<string> {
  return (await run("service-account", "token", file)).trim();
}

/** Runs a command and returns its output; rejects if it fails. */
export async function run(...args: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(binary, args, { timeout: 120_000 });
  return stdout;
}

async function withFolder(projectId: string, ...args: string[]): Promise<Server> {
  const place = { mode: "hardened", apiKey: "haat-storefront", projectId } as const;
  return { ...place, ...(await program(args)) };
}

export interface Program {
  url: string;
  folder: string;
  stop(): Promise<void>;
}

/** A new data directory; the caller removes it. */
export function dataFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "haat-test-"));
  // Encoded pictures are slow to make and named by content, so all shops share a cache.
  const pictures = resolve(import.meta.dirname, "../../target/test-pictures");
  mkdirSync(pictures, { recursive: true });
  symlinkSync(pictures, join(folder, "media"));
  return folder;
}

/** Starts the program with its own data directory, removed on stop. */
export async function program(args: string[], env?: Record<string, string>): Promise<Program> {
  const folder = dataFolder();
  const drop = () => rmSync(folder, { recursive: true, force: true });
  const { url, stop } = await open([...args, "--data-dir", folder], env).catch((why) => {
    drop();
    throw why;
  });
  return {
    url,
    folder,
    async stop() {
      await stop();
      drop();
    },
  };
}

// Whole suites run from one address, and some start with anonymous accounts.
const ONE_NETWORK = {
  HAAT_SIGN_UPS_PER_HOUR: "100000",
  HAAT_SMS_PER_HOUR: "1000",
  HAAT_ANONYMOUS_SIGN_IN: "true",
};

/** Its stderr goes to `listen`, or else to ours. */
export async function open(
  args: string[],
  env: Record<string, string> = {},
  listen: (complaint: string) => void = (text) => process.stderr.write(text),
): Promise<{ url: string; stop: () => Promise<void> }> {
  const child = spawn(binary, [...args, "--listen", "127.0.0.1:0"], {
    stdio: ["ignore", "pipe", "pipe"],
    // The tests are about refusals.
    env: { HAAT_LOG: "warn", ...ONE_NETWORK, ...process.env, ...env },
  });
  child.stderr.setEncoding("utf8").on("data", listen);
  const ended = new Promise<void>((done) => child.once("close", () => done()));
  const failed = new Promise<never>((_, reject) => {
    child.once("error", reject);
    child.once("exit", (code) => reject(new Error(`${binary} ${args[0]} ended with ${code}`)));
  });
  const opened = new Promise<string>((found) => {
    createInterface({ input: child.stdout }).on("line", (line) => {
      const url = /^Haat(?: identity)? is open at (http:\/\/\S+)/.exec(line)?.[1];
      if (url !== undefined) found(url);
    });
  });
  const url = await Promise.race([opened, failed]);
  // From here on it is expected to end.
  failed.catch(() => {});
  return {
    url,
    async stop() {
      child.kill("SIGTERM");
      await ended;
    },
  };
}
