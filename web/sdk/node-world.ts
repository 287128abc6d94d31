// The world of flows that run in Node.
import { deleteApp } from "firebase/app";
import { type Auth, inMemoryPersistence } from "firebase/auth";
import { client } from "./client";
import { owner } from "./owner";
import { post } from "./post";
import { said } from "./provider";
import type { Server } from "./server";
import { totp } from "./totp";
import type { World } from "./world";

export interface NodeWorld extends World {
  /** Ends the apps that a test has made. */
  tidy(): Promise<void>;
}

export async function nodeWorld(server: Server): Promise<NodeWorld> {
  const { customToken } = await owner(server);
  const { link, text } = post(server);
  const made: Auth[] = [];
  return {
    mode: server.mode,
    url: server.url,
    link,
    text,
    totp: async (secret, step) => totp(secret, step),
    customToken: async (uid, claims) => customToken(uid, claims),
    said: (provider, person) => said(server, provider, person),
    client() {
      const auth = client(server, inMemoryPersistence);
      made.push(auth);
      return auth;
    },
    async tidy() {
      await Promise.all(made.splice(0).map(({ app }) => deleteApp(app)));
    },
  };
}
