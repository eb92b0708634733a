import type { FromUsageView, ToUsageView } from "../../shared/usageProtocol.ts";
import { type Bridge, createBridge } from "../parts/bridge.ts";

export type UsageBridge = Bridge<FromUsageView, ToUsageView>;
export const createUsageBridge = createBridge<FromUsageView, ToUsageView>;
