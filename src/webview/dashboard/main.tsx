import { render } from "preact";
import { App } from "./App.tsx";
import { createUsageBridge } from "./bridge.ts";
import { createUsageModel } from "./usageModel.ts";
import "./dashboard.css";
import "./tables.css";
import "./records.css";

const bridge = createUsageBridge();
render(<App model={createUsageModel(bridge)} />, document.body);
bridge.post("ready", {});
