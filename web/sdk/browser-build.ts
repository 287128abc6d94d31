// The SDK's build for browsers, which has phone numbers and runs in Node as well. Its package
// gives Node another one, so it is taken by its path.
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

export async function browserBuild(): Promise<typeof import("firebase/auth")> {
  const firebase = createRequire(import.meta.url).resolve("firebase/package.json");
  const auth = createRequire(firebase).resolve("@firebase/auth/package.json");
  return await import(/* @vite-ignore */ join(dirname(auth), "dist/esm/index.js"));
}
