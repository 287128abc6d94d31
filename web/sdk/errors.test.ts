// Every error that a server can cause, by the name that an app sees. First those of SPEC.md,
// section 8, then the rest of the protocol's.
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { codes } from "./errors/codes";
import { factors } from "./errors/factors";
import { type Ground, ground, type Setting } from "./errors/ground";
import { sessions } from "./errors/sessions";
import { MODES } from "./flows";
import { google } from "./server";

vi.mock("firebase/auth", async () => await (await import("./browser-build")).browserBuild());

const causes = [...sessions, ...codes, ...factors];

const settings: Setting[] = [...MODES, "clock"];

for (const mode of settings) {
  // Google's emulator is run against to check the suite; it has no other mode, and no such clock.
  describe.skipIf(google && mode !== "emulator")(mode, () => {
    let here: Ground | undefined;
    beforeAll(async () => {
      here = await ground(mode);
    }, 30_000);
    afterEach(() => here?.world.tidy());
    afterAll(() => here?.server.stop());

    for (const { code, how, mode: only, notGoogle, provoke } of causes) {
      if (only === undefined ? mode === "clock" : only !== mode) continue;
      const why = notGoogle === undefined ? "" : ` (not in Google's emulator: ${notGoogle})`;
      test.skipIf(google && why !== "")(`${code}: ${how}${why}`, async () => {
        const error: unknown = await provoke(here as Ground).then(
          () => "no error",
          (error) => (error as { code?: string }).code ?? error,
        );
        expect(error).toBe(`auth/${code}`);
      });
    }
  });
}
