import { render } from "preact";
import { DashboardApp } from "./App.tsx";
import { createUsageBridge } from "./bridge.ts";
import { createUsageModel } from "./usageModel.ts";
import "./dashboard.css";
import "./tables.css";
import "./records.css";
import "./calls.css";

const bridge = createUsageBridge();
render(<DashboardApp model={createUsageModel(bridge)} />, document.body);
bridge.post("ready", {});
