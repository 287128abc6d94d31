// The SDK's Node build, which has everything except phone numbers.
import { runFlows } from "./suite";

runFlows((flow) => !flow.phone);
