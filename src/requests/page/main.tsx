import { render } from "preact";
import { createBridge } from "../../webview/ui/bridge.ts";
import type { FromRequestsView, ToRequestsView } from "../protocol/requestsProtocol.ts";
import { RequestsApp } from "./App.tsx";
import { RequestsModel } from "./requestsModel.ts";
import "./requests.css";

const bridge = createBridge<FromRequestsView, ToRequestsView>();
render(<RequestsApp model={new RequestsModel(bridge)} />, document.body);
bridge.post("ready", {});
