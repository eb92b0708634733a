// The script of the page in which the whole speech player is tested: its host is the test.
import { render } from "preact";
import { PlayerApp } from "../../../../src/speech/page/App.tsx";
import { createPlayerBridge } from "../../../../src/speech/page/bridge.ts";
import { createPlayerModel } from "../../../../src/speech/page/playerModel.ts";
import type { FromPlayer, ToPlayer } from "../../../../src/speech/protocol/speechProtocol.ts";

/** Messages of the page to the host. */
const sent: FromPlayer[] = [];

Object.assign(window, {
  acquireVsCodeApi: () => ({
    postMessage: (message: FromPlayer) => void sent.push(message),
    getState: () => undefined,
    setState: () => {},
  }),
});

const page = {
  sent,
  start() {
    const sounds = document.createElement("div");
    sounds.className = "sounds";
    const view = document.createElement("div");
    document.body.append(view, sounds);
    render(<PlayerApp model={createPlayerModel(createPlayerBridge(), sounds)} />, view);
  },
  hear: (message: ToPlayer) => window.postMessage(message),
  /** A complete clip of one sentence. */
  hearClip(reading: string, index: number, wav: readonly number[]) {
    const clip = `${reading} ${index}`;
    const facts = { first: index, last: index, mime: "audio/wav", format: "wav", streams: false } as const;
    page.hear({ v: 1, type: "clip", reading, clip, ...facts });
    page.hear({ v: 1, type: "piece", clip, bytes: new Uint8Array(wav) });
    page.hear({ v: 1, type: "clipEnd", clip });
  },
};
export type PlayerAppPage = typeof page;
Object.assign(window, { playerPage: page });
