// The script of the page in which the dashboard is tested: its host is the real one, behind `askHost`.
import { render } from "preact";
import { DashboardApp } from "../../../../src/account/page/App.tsx";
import { createUsageBridge } from "../../../../src/account/page/bridge.ts";
import { UsageModel } from "../../../../src/account/page/charts/usageModel.ts";
import type { FromUsageView, ToUsageView } from "../../../../src/account/protocol/usageProtocol.ts";

declare const askHost: (message: FromUsageView) => void;

const page = {
  start() {
    const bridge = createUsageBridge();
    render(<DashboardApp model={new UsageModel(bridge)} />, document.body);
    bridge.post("ready", {});
  },
  handle: (message: ToUsageView) => window.dispatchEvent(new MessageEvent("message", { data: message })),
};
Object.assign(window, {
  dashboardPage: page,
  acquireVsCodeApi: () => ({ postMessage: (message: FromUsageView) => askHost(message) }),
});
