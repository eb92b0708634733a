import { type ReadonlySignal, signal } from "@preact/signals";
import type { ToPlayer } from "../protocol/speechProtocol.ts";
import type { PlayerBridge } from "./bridge.ts";
import type { Position } from "./position.ts";
import { createSequence, type Sequence } from "./sequence.ts";

/** Plays a text, as the controls of the player do. */
export interface Playback extends Pick<Position, "index" | "time">, Pick<Sequence, "loaded" | "status"> {
  readonly rate: ReadonlySignal<number>;
  play(): void;
  pause(): void;
  toggle(): void;
  next(): void;
  previous(): void;
  seek(seconds: number): void;
  setRate(rate: number): void;
  handle(message: ToPlayer): void;
}

export function createPlayback(bridge: PlayerBridge, place: HTMLElement): Playback {
  const rate = signal(bridge.kept?.rate ?? 1);
  const sequence = createSequence(bridge, place, () => rate.value);
  const { position, player, goTo } = sequence;
  /** The user may skip further. */
  const skipTo = (index: number, share: number) => {
    goTo(index, share, true);
    // A paused text also shows its position.
    if (!sequence.isWanted) sequence.reportIndex();
  };
  const playback: Playback = {
    loaded: sequence.loaded,
    status: sequence.status,
    index: position.index,
    time: position.time,
    rate,
    play() {
      if (!sequence.loaded.value) return;
      sequence.isWanted = true;
      if (player.current && !player.current.isBroken) {
        player.resume();
        sequence.request();
      } else goTo(position.index.value, position.share, false);
    },
    pause() {
      sequence.cancelRequest();
      player.pause();
      if (sequence.loaded.value) sequence.end("paused");
    },
    toggle() {
      if (sequence.isWanted) playback.pause();
      else playback.play();
    },
    next() {
      const last = (sequence.loaded.value?.sentences.length ?? 0) - 1;
      if (position.index.value < last) skipTo(position.index.value + 1, 0);
    },
    previous: () => skipTo(position.previous(), 0),
    seek(seconds) {
      const { index, share } = position.at(seconds);
      skipTo(index, share);
    },
    setRate(next) {
      rate.value = next;
      bridge.keep({ rate: next });
      player.clips.setRate(next);
    },
    handle(message) {
      if (message.type === "control") playback[message.control]();
      else sequence.handle(message);
    },
  };
  return playback;
}
