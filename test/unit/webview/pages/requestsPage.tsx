// The script of the page in which the list of requests is tested: its host is the real one, behind `askHost`.
import { render } from "preact";
import { RequestsApp } from "../../../../src/requests/page/App.tsx";
import { RequestsModel } from "../../../../src/requests/page/requestsModel.ts";
import type {
  FromRequestsView,
  KeptRequests,
  ToRequestsView,
} from "../../../../src/requests/protocol/requestsProtocol.ts";
import { createBridge } from "../../../../src/webview/ui/bridge.ts";

declare const askHost: (message: FromRequestsView) => void;

/** As VS Code keeps it for the page. */
let kept: KeptRequests | undefined;

const page = {
  start(before?: KeptRequests) {
    kept = before;
    const model = new RequestsModel(createBridge<FromRequestsView, ToRequestsView, KeptRequests>());
    render(<RequestsApp model={model} />, document.body);
    model.start();
  },
  kept: () => kept,
  handle: (message: ToRequestsView) => window.dispatchEvent(new MessageEvent("message", { data: message })),
};
Object.assign(window, {
  requestsPage: page,
  acquireVsCodeApi: () => ({
    postMessage: (message: FromRequestsView) => askHost(message),
    getState: () => kept,
    setState(state: KeptRequests) {
      kept = state;
    },
  }),
});
