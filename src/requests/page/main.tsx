import { render } from "preact";
import { createBridge } from "../../webview/ui/bridge.ts";
import type { FromRequestsView, KeptRequests, ToRequestsView } from "../protocol/requestsProtocol.ts";
import { RequestsApp } from "./App.tsx";
import { RequestsModel } from "./requestsModel.ts";
import "./requests.css";

const model = new RequestsModel(createBridge<FromRequestsView, ToRequestsView, KeptRequests>());
render(<RequestsApp model={model} />, document.body);
model.start();
