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
import { exposePage } from "../testedPage.ts";

exposePage<FromRequestsView, ToRequestsView, KeptRequests>("requestsPage", () => {
  const model = new RequestsModel(createBridge<FromRequestsView, ToRequestsView, KeptRequests>());
  render(<RequestsApp model={model} />, document.body);
  model.start();
});
