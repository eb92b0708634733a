import { render } from "preact";
import { DashboardApp } from "./App.tsx";
import { createUsageBridge } from "./bridge.ts";
import { UsageModel } from "./charts/usageModel.ts";
import { keepScroll, keptView } from "./keptView.ts";
import "./dashboard.css";
import "./tables.css";
import "./records.css";
import "./calls.css";
import "./promptCache.css";
import "./budgets/budgets.css";

const bridge = createUsageBridge();
render(<DashboardApp model={new UsageModel(bridge)} />, document.body);
keepScroll(bridge);
bridge.post("ready", { kept: keptView(bridge).choice });
