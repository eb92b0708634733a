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

declare const askHost: (message: FromResultsView) => void;

/** As VS Code keeps it for the page. */
let kept: KeptResults | undefined;

const page = {
  start(before?: KeptResults) {
    kept = before;
    const model = new ResultsModel(createBridge<FromResultsView, ToResultsView, KeptResults>());
    render(<ResultsApp model={model} />, document.body);
    model.start();
  },
  kept: () => kept,
  handle: (message: ToResultsView) => window.dispatchEvent(new MessageEvent("message", { data: message })),
};
Object.assign(window, {
  resultsPage: page,
  acquireVsCodeApi: () => ({
    postMessage: (message: FromResultsView) => askHost(message),
    getState: () => kept,
    setState(state: KeptResults) {
      kept = state;
    },
  }),
});
