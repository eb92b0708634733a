import { type Bridge, createBridge } from "../../webview/ui/bridge.ts";
import type { FromUsageView, ToUsageView } from "../protocol/usageProtocol.ts";

export type UsageBridge = Bridge<FromUsageView, ToUsageView>;
export const createUsageBridge = createBridge<FromUsageView, ToUsageView>;
