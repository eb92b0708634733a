import type { FromUsageView, ToUsageView } from "../../account/protocol/usageProtocol.ts";
import { type Bridge, createBridge } from "../ui/bridge.ts";

export type UsageBridge = Bridge<FromUsageView, ToUsageView>;
export const createUsageBridge = createBridge<FromUsageView, ToUsageView>;
