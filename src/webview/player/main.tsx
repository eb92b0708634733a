import { render } from "preact";
import { PlayerApp } from "./App.tsx";
import { createPlayerBridge } from "./bridge.ts";
import { playableFormats, streamsMp3 } from "./playable.ts";
import { createPlayerModel } from "./playerModel.ts";
import "./player.css";

const bridge = createPlayerBridge();
const sounds = document.createElement("div");
sounds.className = "sounds";
const view = document.createElement("div");
document.body.append(view, sounds);
render(<PlayerApp model={createPlayerModel(bridge, sounds)} />, view);
bridge.post("ready", { plays: playableFormats(), streamsMp3: streamsMp3() });
