// Phone numbers exist in the SDK's build for browsers only.
import { vi } from "vitest";
import { runFlows } from "./suite";

vi.mock("firebase/auth", async () => await (await import("./browser-build")).browserBuild());

runFlows((flow) => flow.phone === true);
