// The environment of flows in Node.
import { deleteApp } from "firebase/app";
import { type Auth, inMemoryPersistence } from "firebase/auth";
import { client } from "./client";
import type { Environment } from "./environment";
import { inbox } from "./inbox";
import { projectAdmin } from "./project-admin";
import { providerAnswer } from "./provider-answer";
import type { Server } from "./server";
import { totp } from "./totp";

export interface NodeEnvironment extends Environment {
  /** Deletes the apps that a test has made. */
  close(): Promise<void>;
}

export async function nodeEnvironment(server: Server): Promise<NodeEnvironment> {
  const { customToken } = await projectAdmin(server);
  const { link, text } = inbox(server);
  const made: Auth[] = [];
  return {
    mode: server.mode,
    url: server.url,
    link,
    text,
    totp: async (secret, step) => totp(secret, step),
    customToken: async (uid, claims) => customToken(uid, claims),
    providerAnswer: (provider, person) => providerAnswer(server, provider, person),
    client() {
      const auth = client(server, inMemoryPersistence);
      made.push(auth);
      return auth;
    },
    async close() {
      await Promise.all(made.splice(0).map(({ app }) => deleteApp(app)));
    },
  };
}
