import { type ReadonlySignal, signal } from "@preact/signals";
import type { PlayerState, ToPlayer } from "../protocol/speechProtocol.ts";
import type { PlayerBridge } from "./bridge.ts";
import { Playback } from "./sound/playback.ts";

/** State of the page, with its requests. */
export interface PlayerModel {
  readonly bridge: PlayerBridge;
  readonly playback: Playback;
  readonly state: ReadonlySignal<PlayerState | undefined>;
  /** The voice whose preview is loading or playing. */
  readonly previewed: ReadonlySignal<string | undefined>;
  preview(voice: string): void;
}

export function createPlayerModel(bridge: PlayerBridge, place: HTMLElement): PlayerModel {
  const playback = new Playback(bridge, place);
  const state = signal<PlayerState | undefined>(undefined);
  const previewed = signal<string | undefined>(undefined);
  const sample = document.createElement("audio");
  place.append(sample);
  const end = () => {
    previewed.value = undefined;
  };
  sample.addEventListener("ended", end);
  sample.addEventListener("error", end);
  const play = ({ voice, bytes, mime }: Extract<ToPlayer, { readonly type: "preview" }>) => {
    if (voice !== previewed.value) return;
    if (!bytes) return end();
    URL.revokeObjectURL(sample.src);
    sample.src = URL.createObjectURL(new Blob([bytes], { type: mime }));
    sample.play().catch(end);
  };
  bridge.onMessage((message) => {
    if (message.type === "state") state.value = message.state;
    else if (message.type === "preview") play(message);
    else playback.handle(message);
  });
  return {
    bridge,
    playback,
    state,
    previewed,
    preview(voice) {
      playback.pause();
      previewed.value = voice;
      bridge.post("preview", { voice });
    },
  };
}
