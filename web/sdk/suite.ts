// The flows as tests in Node, in both modes.
import { afterAll, beforeAll, describe, test } from "vitest";
import { flows, holdsIn, MODES } from "./flows";
import { type NodeWorld, nodeWorld } from "./node-world";
import { emulator, google, hardened, type Server } from "./server";
import type { Flow } from "./world";

export function runFlows(which: (flow: Flow) => boolean): void {
  for (const mode of MODES) {
    // Google's emulator is run against to check the suite, and has no other mode.
    describe.skipIf(google && mode === "hardened")(mode, () => {
      let server: Server | undefined;
      let world: NodeWorld;
      beforeAll(async () => {
        server = await (mode === "hardened" ? hardened() : emulator());
        world = await nodeWorld(server);
      }, 30_000);
      afterAll(async () => {
        await world?.tidy();
        await server?.stop();
      });

      for (const [topic, list] of Object.entries(flows)) {
        for (const flow of list.filter((flow) => which(flow) && holdsIn(flow, mode))) {
          const why =
            flow.notGoogle === undefined ? "" : ` (not in Google's emulator: ${flow.notGoogle})`;
          const name = `${topic}: ${flow.name}${why}`;
          // Each has people of its own, so they need not wait for one another's letters.
          test.skipIf(google && why !== "").concurrent(name, () => flow.run(world));
        }
      }
    });
  }
}
