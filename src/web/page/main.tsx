import { render } from "preact";
import { createBridge } from "../../webview/ui/bridge.ts";
import type { FromResultsView, KeptResults, ToResultsView } from "../protocol/resultsProtocol.ts";
import { ResultsApp } from "./App.tsx";
import { ResultsModel } from "./resultsModel.ts";
import "./results.css";

const model = new ResultsModel(createBridge<FromResultsView, ToResultsView, KeptResults>());
render(<ResultsApp model={model} />, document.body);
model.start();
