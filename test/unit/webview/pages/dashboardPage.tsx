// The script of the page in which the dashboard is tested: its host is the real one, behind `askHost`.
import { render } from "preact";
import { DashboardApp } from "../../../../src/account/page/App.tsx";
import { createUsageBridge } from "../../../../src/account/page/bridge.ts";
import { UsageModel } from "../../../../src/account/page/charts/usageModel.ts";
import { keepScroll, keptView } from "../../../../src/account/page/keptView.ts";
import type { KeptView } from "../../../../src/account/protocol/keptView.ts";
import type { FromUsageView, ToUsageView } from "../../../../src/account/protocol/usageProtocol.ts";
import { exposePage } from "../testedPage.ts";

exposePage<FromUsageView, ToUsageView, KeptView>("dashboardPage", () => {
  const bridge = createUsageBridge();
  render(<DashboardApp model={new UsageModel(bridge)} />, document.body);
  keepScroll(bridge);
  bridge.post("ready", { kept: keptView(bridge).choice });
});
