import { render } from "preact";
import { App } from "./App.tsx";
import { createStudioBridge } from "./bridge.ts";
import { createStudioModel } from "./studioModel.ts";
import "../parts/button.css";
import "./studio.css";

const bridge = createStudioBridge();
render(<App model={createStudioModel(bridge)} />, document.body);
bridge.post("ready", {});
