import { type ReadonlySignal, signal } from "@preact/signals";
import type { ToPlayer } from "../../protocol/speechProtocol.ts";
import type { PlayerBridge } from "../bridge.ts";
import type { Position } from "./position.ts";
import { Sequence } from "./sequence.ts";

/** As in other players of speech. */
const skipSeconds = 15;

/** Plays a text, as the controls of the player do. */
export class Playback {
  readonly #bridge: PlayerBridge;
  readonly #rate = signal(1);
  readonly #sequence: Sequence;
  readonly loaded: Sequence["loaded"];
  readonly status: Sequence["status"];
  readonly index: Position["index"];
  readonly time: Position["time"];
  readonly rate: ReadonlySignal<number> = this.#rate;

  constructor(bridge: PlayerBridge, place: HTMLElement) {
    this.#bridge = bridge;
    this.#rate.value = bridge.kept?.rate ?? 1;
    this.#sequence = new Sequence(bridge, place, () => this.#rate.value);
    const { position } = this.#sequence;
    this.loaded = this.#sequence.loaded;
    this.status = this.#sequence.status;
    this.index = position.index;
    this.time = position.time;
  }

  play(): void {
    const sequence = this.#sequence;
    const { position, player } = sequence;
    if (!sequence.loaded.value) return;
    sequence.isWanted = true;
    if (player.current && !player.current.isBroken) {
      player.resume();
      sequence.request();
    } else sequence.goTo(position.index.value, position.share, false);
  }

  pause(): void {
    this.#sequence.cancelRequest();
    this.#sequence.player.pause();
    if (this.#sequence.loaded.value) this.#sequence.end("paused");
  }

  toggle(): void {
    if (this.#sequence.isWanted) this.pause();
    else this.play();
  }

  next(): void {
    const { loaded, position } = this.#sequence;
    const last = (loaded.value?.sentences.length ?? 0) - 1;
    if (position.index.value < last) this.#skipTo(position.index.value + 1, 0);
  }

  previous(): void {
    this.#skipTo(this.#sequence.position.previous(), 0);
  }

  forward(): void {
    this.seek(this.time.value.elapsed + skipSeconds);
  }

  back(): void {
    this.seek(Math.max(0, this.time.value.elapsed - skipSeconds));
  }

  nextParagraph(): void {
    this.#skipOn(this.loaded.value?.paragraphs);
  }

  previousParagraph(): void {
    this.#skipBack(this.loaded.value?.paragraphs);
  }

  nextHeading(): void {
    this.#skipOn(this.loaded.value?.headings);
  }

  previousHeading(): void {
    this.#skipBack(this.loaded.value?.headings);
  }

  seek(seconds: number): void {
    const { index, share } = this.#sequence.position.at(seconds);
    this.#skipTo(index, share);
  }

  setRate(next: number): void {
    this.#rate.value = next;
    this.#bridge.keep({ rate: next });
    this.#sequence.player.clips.setRate(next);
  }

  handle(message: ToPlayer): void {
    if (message.type === "control") this[message.control]();
    else this.#sequence.handle(message);
  }

  #skipOn(starts: readonly number[] = []): void {
    const next = starts.find((start) => start > this.index.value);
    if (next !== undefined) this.#skipTo(next, 0);
  }

  /** The start of the current part, or that of the one before from there. */
  #skipBack(starts: readonly number[] = []): void {
    const at = this.#sequence.position.previous();
    const before = starts.findLast((start) => start <= at) ?? (starts.length > 0 ? 0 : undefined);
    if (before !== undefined) this.#skipTo(before, 0);
  }

  /** The user may skip further. */
  #skipTo(index: number, share: number): void {
    this.#sequence.goTo(index, share, true);
    // A paused text also shows its position.
    if (!this.#sequence.isWanted) this.#sequence.reportIndex();
  }
}
