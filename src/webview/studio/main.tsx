import { render } from "preact";
import { App } from "./App.tsx";
import { createStudioBridge } from "./bridge.ts";
import { createStudioModel } from "./studioModel.ts";
import "../parts/page.css";
import "../parts/button.css";
import "../parts/icons.css";
import "../parts/field.css";
import "./studio.css";
import "./gallery.css";
import "./picture.css";

const bridge = createStudioBridge();
render(<App model={createStudioModel(bridge)} />, document.body);
bridge.post("ready", {});
