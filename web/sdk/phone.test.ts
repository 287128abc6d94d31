// Phone numbers exist only in the SDK's browser build.
import { vi } from "vitest";
import { runFlows } from "./suite";

vi.mock("firebase/auth", async () => await (await import("./browser-build")).browserBuild());

runFlows((flow) => flow.phone === true);
