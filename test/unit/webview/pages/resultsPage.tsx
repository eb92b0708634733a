// The script of the page in which the editor with the stored results is tested.
import { render } from "preact";
import { ResultsApp } from "../../../../src/web/page/App.tsx";
import { ResultsModel } from "../../../../src/web/page/resultsModel.ts";
import type {
  FromResultsView,
  KeptResults,
  ToResultsView,
} from "../../../../src/web/protocol/resultsProtocol.ts";
import { createBridge } from "../../../../src/webview/ui/bridge.ts";
import { exposePage } from "../testedPage.ts";

exposePage<FromResultsView, ToResultsView, KeptResults>("resultsPage", () => {
  const model = new ResultsModel(createBridge<FromResultsView, ToResultsView, KeptResults>());
  render(<ResultsApp model={model} />, document.body);
  model.start();
});
