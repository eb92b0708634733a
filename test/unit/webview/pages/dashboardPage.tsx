// The script of the page in which the dashboard is tested: its host is the real one, behind `askHost`.
import { render } from "preact";
import { DashboardApp } from "../../../../src/account/page/App.tsx";
import { createUsageBridge } from "../../../../src/account/page/bridge.ts";
import { UsageModel } from "../../../../src/account/page/charts/usageModel.ts";
import { keepScroll, keptView } from "../../../../src/account/page/keptView.ts";
import type { KeptView } from "../../../../src/account/protocol/keptView.ts";
import type { FromUsageView, ToUsageView } from "../../../../src/account/protocol/usageProtocol.ts";

declare const askHost: (message: FromUsageView) => void;

/** As VS Code keeps it for the page. */
let kept: KeptView | undefined;

const page = {
  start(before?: KeptView) {
    kept = before;
    const bridge = createUsageBridge();
    render(<DashboardApp model={new UsageModel(bridge)} />, document.body);
    keepScroll(bridge);
    bridge.post("ready", { kept: keptView(bridge).choice });
  },
  kept: () => kept,
  handle: (message: ToUsageView) => window.dispatchEvent(new MessageEvent("message", { data: message })),
};
Object.assign(window, {
  dashboardPage: page,
  acquireVsCodeApi: () => ({
    postMessage: (message: FromUsageView) => askHost(message),
    getState: () => kept,
    setState(state: KeptView) {
      kept = state;
    },
  }),
});
