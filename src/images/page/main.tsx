import { render } from "preact";
import { StudioApp } from "./App.tsx";
import { createStudioBridge } from "./bridge.ts";
import { StudioModel } from "./studioModel.ts";
import "./studio.css";
import "./gallery.css";
import "./picture.css";

const bridge = createStudioBridge();
render(<StudioApp model={new StudioModel(bridge)} />, document.body);
bridge.post("ready", {});
