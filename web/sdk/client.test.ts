// The SDK's own build for Node, which has all but phone numbers.
import { runFlows } from "./suite";

runFlows((flow) => !flow.phone);
