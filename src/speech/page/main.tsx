import { render } from "preact";
import { type SpeechFormat, speechFormats } from "../../shared/sound/speechFormats.ts";
import { PlayerApp } from "./App.tsx";
import { createPlayerBridge } from "./bridge.ts";
import { createPlayerModel } from "./playerModel.ts";
import "./player.css";

const types: Readonly<Record<SpeechFormat, readonly string[]>> = {
  mp3: ["audio/mpeg"],
  opus: ['audio/ogg; codecs="opus"'],
  aac: ["audio/aac"],
  flac: ["audio/flac"],
  wav: ["audio/wav"],
  // PCM arrives with a WAV header.
  pcm: ["audio/wav"],
};

/** The formats that this browser can play. Desktop builds of VS Code lack some (AAC, Opus). */
function playableFormats(): SpeechFormat[] {
  const probe = document.createElement("audio");
  return speechFormats.filter((format) => types[format].some((type) => probe.canPlayType(type) !== ""));
}

function streamsMp3(): boolean {
  return typeof MediaSource !== "undefined" && MediaSource.isTypeSupported("audio/mpeg");
}

const bridge = createPlayerBridge();
const sounds = document.createElement("div");
sounds.className = "sounds";
const view = document.createElement("div");
document.body.append(view, sounds);
render(<PlayerApp model={createPlayerModel(bridge, sounds)} />, view);
bridge.post("ready", { plays: playableFormats(), streamsMp3: streamsMp3() });
