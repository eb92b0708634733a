import { render } from "preact";
import { App } from "./App.tsx";
import { createStudioBridge } from "./bridge.ts";
import { createStudioModel } from "./studioModel.ts";
import "./studio.css";
import "./gallery.css";
import "./picture.css";

const bridge = createStudioBridge();
render(<App model={createStudioModel(bridge)} />, document.body);
bridge.post("ready", {});
