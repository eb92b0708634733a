// The script of the page in which the whole speech player is tested: its host is the test.
import { render } from "preact";
import type { ToPlayer } from "../../../src/shared/speechProtocol.ts";
import { PlayerApp } from "../../../src/webview/player/App.tsx";
import { createPlayerBridge } from "../../../src/webview/player/bridge.ts";
import { createPlayerModel } from "../../../src/webview/player/playerModel.ts";

Object.assign(window, {
  acquireVsCodeApi: () => ({ postMessage: () => {}, getState: () => undefined, setState: () => {} }),
});

const page = {
  start() {
    const sounds = document.createElement("div");
    sounds.className = "sounds";
    const view = document.createElement("div");
    document.body.append(view, sounds);
    render(<PlayerApp model={createPlayerModel(createPlayerBridge(), sounds)} />, view);
  },
  hear: (message: ToPlayer) => window.postMessage(message),
};
export type PlayerAppPage = typeof page;
Object.assign(window, { playerPage: page });
