import { type Bridge, createBridge } from "../../webview/ui/bridge.ts";
import type { KeptView } from "../protocol/keptView.ts";
import type { FromUsageView, ToUsageView } from "../protocol/usageProtocol.ts";

export type UsageBridge = Bridge<FromUsageView, ToUsageView, KeptView>;
export const createUsageBridge = createBridge<FromUsageView, ToUsageView, KeptView>;
