// Where errors are provoked: a server, its owner, and people with the SDK.
import { type NodeWorld, nodeWorld } from "../node-world";
import { type Owner, owner } from "../owner";
import { emulator, hardened, type Server } from "../server";
import type { Mode } from "../world";

export interface Ground {
  server: Server;
  world: NodeWorld;
  owner: Owner;
  /** Another server of the same kind. */
  another(): Promise<Server>;
  /** Moves an emulator's clock on. */
  advance(milliseconds: number): Promise<void>;
}

/** An emulator whose clock is moved is apart: the others' tokens would be of the past. */
export type Setting = Mode | "clock";

export interface Cause {
  /** Without `auth/`. */
  code: string;
  how: string;
  /** Where, when not in both modes. */
  mode?: Setting;
  /** Why Google's own emulator cannot do it, if so. */
  notGoogle?: string;
  /** Ends with the error. */
  provoke(ground: Ground): Promise<unknown>;
}

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;

export async function ground(mode: Setting): Promise<Ground> {
  const open = () => (mode === "hardened" ? hardened() : emulator());
  const server = await open();
  return {
    server,
    world: await nodeWorld(server),
    owner: await owner(server),
    another: open,
    async advance(milliseconds) {
      const answer = await fetch(`${server.url}/emulator/v1/clock:advance`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ milliseconds }),
      });
      if (!answer.ok) throw new Error(`clock:advance: ${answer.status} ${await answer.text()}`);
    },
  };
}
