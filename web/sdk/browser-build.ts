// The SDK's browser build, which has phone numbers and also runs in Node. The package gives Node
// another build, so it is imported by path.
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

export async function browserBuild(): Promise<typeof import("firebase/auth")> {
  const firebase = createRequire(import.meta.url).resolve("firebase/package.json");
  const auth = createRequire(firebase).resolve("@firebase/auth/package.json");
  return await import(/* @vite-ignore */ join(dirname(auth), "dist/esm/index.js"));
}
