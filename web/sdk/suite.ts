// The flows as tests in Node, in both modes.
import { afterAll, beforeAll, describe, test } from "vitest";
import type { Flow } from "./environment";
import { flows, holdsIn, MODES } from "./flows";
import { type NodeEnvironment, nodeEnvironment } from "./node-environment";
import { emulator, google, hardened, type Server } from "./server";

export function runFlows(which: (flow: Flow) => boolean): void {
  for (const mode of MODES) {
    // The suite can run against Google's emulator, which has no other mode.
    describe.skipIf(google && mode === "hardened")(mode, () => {
      let server: Server | undefined;
      let env: NodeEnvironment;
      beforeAll(async () => {
        server = await (mode === "hardened" ? hardened() : emulator());
        env = await nodeEnvironment(server);
      });
      afterAll(async () => {
        await env?.close();
        await server?.stop();
      });

      for (const [topic, list] of Object.entries(flows)) {
        for (const flow of list.filter((flow) => which(flow) && holdsIn(flow, mode))) {
          const why =
            flow.notGoogle === undefined ? "" : ` (not in Google's emulator: ${flow.notGoogle})`;
          const name = `${topic}: ${flow.name}${why}`;
          // Each has its own users, so they need not wait for one another's e-mails.
          test.skipIf(google && why !== "").concurrent(name, () => flow.run(env));
        }
      }
    });
  }
}
