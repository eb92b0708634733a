import { render } from "preact";
import { StudioApp } from "./App.tsx";
import { createStudioBridge } from "./bridge.ts";
import { createStudioModel } from "./studioModel.ts";
import "./studio.css";
import "./gallery.css";
import "./picture.css";

const bridge = createStudioBridge();
render(<StudioApp model={createStudioModel(bridge)} />, document.body);
bridge.post("ready", {});
