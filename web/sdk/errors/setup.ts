// The setup for error tests: a server, its admin, and users with the SDK.

import type { Mode } from "../environment";
import { type NodeEnvironment, nodeEnvironment } from "../node-environment";
import { type ProjectAdmin, projectAdmin } from "../project-admin";
import { emulator, hardened, type Server } from "../server";

export interface Setup {
  server: Server;
  env: NodeEnvironment;
  admin: ProjectAdmin;
  /** Another server of the same kind. */
  another(): Promise<Server>;
  /** Advances an emulator's clock. */
  advance(milliseconds: number): Promise<void>;
}

/** An emulator with an advanced clock is separate: the others' tokens would be expired. */
export type Setting = Mode | "clock";

export interface Cause {
  /** Without `auth/`. */
  code: string;
  how: string;
  /** The only mode, if not both. */
  mode?: Setting;
  /** Why Google's own emulator cannot do it, if so. */
  notGoogle?: string;
  /** Rejects with the error. */
  provoke(setup: Setup): Promise<unknown>;
}

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;

export async function setup(mode: Setting): Promise<Setup> {
  const open = () => (mode === "hardened" ? hardened() : emulator());
  const server = await open();
  return {
    server,
    env: await nodeEnvironment(server),
    admin: await projectAdmin(server),
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
