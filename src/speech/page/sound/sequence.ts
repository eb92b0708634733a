import { type ReadonlySignal, signal } from "@preact/signals";
import type { ToPlayer } from "../../protocol/speechProtocol.ts";
import type { PlayerBridge } from "../bridge.ts";
import type { Clip } from "./clip.ts";
import { type ClipEvents, ClipPlayer } from "./clipPlayer.ts";
import { Position } from "./position.ts";

/** A text that is being read. */
interface LoadedText {
  readonly id: string;
  readonly title: string;
  readonly sentences: readonly string[];
  readonly paragraphs: readonly number[];
  readonly headings: readonly number[];
}

/** `blocked`: the browser requires a click in this page first. */
export type Status = "paused" | "waiting" | "playing" | "blocked" | "failed";

/** Debounce while skipping, so skipped sentences aren't billed (ms). */
const settleMs = 250;

/** The clips of a text in order: requests each in time, and plays it when its audio arrives. */
export class Sequence {
  readonly #rate: () => number;
  readonly #loaded = signal<LoadedText | undefined>(undefined);
  readonly #status = signal<Status>("paused");
  readonly position = new Position();
  readonly #reports: Reports;
  #settling: ReturnType<typeof setTimeout> | undefined;
  readonly loaded: ReadonlySignal<LoadedText | undefined> = this.#loaded;
  readonly status: ReadonlySignal<Status> = this.#status;
  readonly player: ClipPlayer;
  /** True if the text plays, or will play as soon as its audio arrives. */
  isWanted = false;

  constructor(bridge: PlayerBridge, place: HTMLElement, rate: () => number) {
    this.#rate = rate;
    this.#reports = createReports(bridge, () => this.#loaded.value?.id);
    this.player = new ClipPlayer(
      place,
      eventsOf(() => this, this.#reports),
    );
  }

  load({ reading: id, index, plays, ...text }: Extract<ToPlayer, { readonly type: "load" }>): void {
    const { title, sentences, paragraphs, headings } = text;
    this.player.clips.dropAfter(-1);
    this.#loaded.value = { id, title, sentences, paragraphs, headings };
    this.position.load(sentences);
    this.#reports.restart();
    this.isWanted = plays;
    this.setStatus(plays ? "waiting" : "paused");
    this.goTo(index, 0, false);
  }

  /** Continues at a sentence; `isSkipping` if the user may skip further. */
  goTo(index: number, share: number, isSkipping: boolean): void {
    this.cancelRequest();
    this.player.stop();
    this.position.moveTo(index, share);
    this.position.update(undefined);
    if (!this.isWanted) return;
    const clip = this.player.clips.at(index);
    if (clip?.isReady) this.#start(clip);
    else this.setStatus("waiting");
    // Sent even if the clip is loaded, because it also requests the next one.
    if (isSkipping) this.#settling = setTimeout(() => this.request(), settleMs);
    else this.request();
  }

  setStatus(next: Status): void {
    this.#status.value = next;
    if (next === "playing") this.#reports.playing(true);
    if (next === "paused" || next === "failed") this.#reports.playing(false);
  }

  /** Playing is no longer wanted. */
  end(next: Status): void {
    this.isWanted = false;
    this.setStatus(next);
  }

  /** Starts the clip if its audio is what playing waits for. */
  startIfDue(clip: Clip): void {
    const index = this.position.index.value;
    const isDue = this.isWanted && this.player.current === undefined;
    if (isDue && clip.first <= index && index <= clip.last && clip.isReady) this.#start(clip);
  }

  /** Requests the clip of the current sentence and the next one. */
  request(): void {
    this.#reports.want(this.position.index.value, this.player.clips.firsts);
  }

  cancelRequest(): void {
    clearTimeout(this.#settling);
  }

  reportIndex(): void {
    this.#reports.at(this.position.index.value);
  }

  handle(message: ToPlayer): void {
    handleMessage(this, message);
  }

  #start(clip: Clip): void {
    this.player.start(clip, this.position.enter(clip), this.#rate());
  }
}

function eventsOf(sequence: () => Sequence, reports: Reports): ClipEvents {
  return {
    onPlaying() {
      sequence().setStatus("playing");
      sequence().reportIndex();
    },
    onWaiting() {
      if (sequence().isWanted) sequence().setStatus("waiting");
    },
    onTime(clip) {
      const { position } = sequence();
      if (position.follow(clip)) sequence().reportIndex();
      position.update(clip);
    },
    onEnded(clip) {
      const text = sequence();
      const next = clip.last + 1;
      if (clip.isBroken) text.end("failed");
      else if (next < (text.loaded.value?.sentences.length ?? 0)) text.goTo(next, 0, false);
      else {
        text.end("paused");
        text.goTo(0, 0, false);
        reports.ended();
      }
    },
    onDuration: (clip) => sequence().position.learn(clip),
    onBlocked: () => sequence().end("blocked"),
    onUnplayable(clip) {
      sequence().end("failed");
      reports.unplayable(clip);
    },
  };
}

function handleMessage(sequence: Sequence, message: ToPlayer): void {
  const { loaded, player, position } = sequence;
  const { clips } = player;
  switch (message.type) {
    case "load":
      sequence.load(message);
      break;
    case "forget":
      clips.dropAfter(message.after);
      break;
    case "clip": {
      const clip = message.reading === loaded.value?.id ? clips.add(message) : undefined;
      if (!clip) break;
      player.listen(clip);
      clips.evict(position.index.value);
      sequence.startIfDue(clip);
      break;
    }
    case "piece":
      clips.get(message.clip)?.push(message.bytes);
      break;
    case "clipEnd": {
      const clip = clips.get(message.clip);
      clip?.end();
      if (clip) sequence.startIfDue(clip);
      break;
    }
    case "clipFailed":
      failClip(sequence, message.clip, message.index);
      break;
    default:
  }
}

function failClip(sequence: Sequence, id: string, index: number): void {
  const { player, position } = sequence;
  const clip = player.clips.get(id);
  if (clip && clip === player.current && clip.audio.currentTime > 0) {
    // The received part is played to its end.
    clip.isBroken = true;
    clip.end();
    return;
  }
  if (clip) player.clips.drop(clip);
  if (index === position.index.value) sequence.end("failed");
}

type Reports = ReturnType<typeof createReports>;

/** Messages to the host about the loaded text; nothing is sent without one. */
function createReports(bridge: PlayerBridge, loadedId: () => string | undefined) {
  let isPlaying = false;
  const post = (send: (reading: string) => void) => {
    const reading = loadedId();
    if (reading !== undefined) send(reading);
  };
  return {
    /** Another text is loaded: it does not play yet. */
    restart() {
      isPlaying = false;
    },
    playing(next: boolean) {
      if (next === isPlaying) return;
      post((reading) => {
        isPlaying = next;
        bridge.post("playing", { reading, isPlaying });
      });
    },
    at: (index: number) => post((reading) => bridge.post("at", { reading, index })),
    want: (index: number, has: number[]) => post((reading) => bridge.post("want", { reading, index, has })),
    ended: () => post((reading) => bridge.post("ended", { reading })),
    unplayable: ({ id: clip, first: index, format }: Clip) =>
      post((reading) => bridge.post("unplayable", { reading, clip, index, format })),
  };
}
