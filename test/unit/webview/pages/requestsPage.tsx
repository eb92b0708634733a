// The script of the page in which the list of requests is tested: its host is the real one, behind `askHost`.
import { render } from "preact";
import { RequestsApp } from "../../../../src/requests/page/App.tsx";
import { RequestsModel } from "../../../../src/requests/page/requestsModel.ts";
import type { FromRequestsView, ToRequestsView } from "../../../../src/requests/protocol/requestsProtocol.ts";
import { createBridge } from "../../../../src/webview/ui/bridge.ts";

declare const askHost: (message: FromRequestsView) => void;

const page = {
  start() {
    const bridge = createBridge<FromRequestsView, ToRequestsView>();
    render(<RequestsApp model={new RequestsModel(bridge)} />, document.body);
    bridge.post("ready", {});
  },
  handle: (message: ToRequestsView) => window.dispatchEvent(new MessageEvent("message", { data: message })),
};
Object.assign(window, {
  requestsPage: page,
  acquireVsCodeApi: () => ({
    postMessage: (message: FromRequestsView) => askHost(message),
    getState: () => undefined,
    setState() {},
  }),
});
