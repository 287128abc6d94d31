// Every error that a server can cause, by the SDK's name. First those of SPEC.md, section 8, then
// the rest of the protocol's.
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { codes } from "./errors/codes";
import { factors } from "./errors/factors";
import { sessions } from "./errors/sessions";
import { type Setting, type Setup, setup } from "./errors/setup";
import { MODES } from "./flows";
import { google } from "./server";

vi.mock("firebase/auth", async () => await (await import("./browser-build")).browserBuild());

const causes = [...sessions, ...codes, ...factors];

const settings: Setting[] = [...MODES, "clock"];

for (const mode of settings) {
  // The suite can run against Google's emulator, which has no other mode and no settable clock.
  describe.skipIf(google && mode !== "emulator")(mode, () => {
    let here: Setup | undefined;
    beforeAll(async () => {
      here = await setup(mode);
    });
    afterEach(() => here?.env.close());
    afterAll(() => here?.server.stop());

    for (const { code, how, mode: only, notGoogle, provoke } of causes) {
      if (only === undefined ? mode === "clock" : only !== mode) continue;
      const why = notGoogle === undefined ? "" : ` (not in Google's emulator: ${notGoogle})`;
      test.skipIf(google && why !== "")(`${code}: ${how}${why}`, async () => {
        const error: unknown = await provoke(here as Setup).then(
          () => "no error",
          (error) => (error as { code?: string }).code ?? error,
        );
        expect(error).toBe(`auth/${code}`);
      });
    }
  });
}
