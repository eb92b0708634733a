import { type ReadonlySignal, signal } from "@preact/signals";
import type { ToPlayer } from "../protocol/speechProtocol.ts";
import type { PlayerBridge } from "./bridge.ts";
import type { Clip } from "./clip.ts";
import { type ClipEvents, type ClipPlayer, createClipPlayer } from "./clipPlayer.ts";
import { createPosition, type Position } from "./position.ts";

/** A text that is being read. */
interface LoadedText {
  readonly id: string;
  readonly title: string;
  readonly sentences: readonly string[];
}

/** `blocked`: the browser requires a click in this page first. */
export type Status = "paused" | "waiting" | "playing" | "blocked" | "failed";

/** The clips of a text in order: requests each in time, and plays it when its audio arrives. */
export interface Sequence {
  readonly loaded: ReadonlySignal<LoadedText | undefined>;
  readonly status: ReadonlySignal<Status>;
  readonly position: Position;
  readonly player: ClipPlayer;
  /** True if the text plays, or will play as soon as its audio arrives. */
  isWanted: boolean;
  load(message: Extract<ToPlayer, { readonly type: "load" }>): void;
  /** Continues at a sentence; `isSkipping` if the user may skip further. */
  goTo(index: number, share: number, isSkipping: boolean): void;
  setStatus(status: Status): void;
  /** Playing is no longer wanted. */
  end(status: Status): void;
  /** Starts the clip if its audio is what playing waits for. */
  startIfDue(clip: Clip): void;
  /** Requests the clip of the current sentence and the next one. */
  request(): void;
  cancelRequest(): void;
  reportIndex(): void;
  handle(message: ToPlayer): void;
}

/** Debounce while skipping, so skipped sentences aren't billed (ms). */
const settleMs = 250;

export function createSequence(bridge: PlayerBridge, place: HTMLElement, rate: () => number): Sequence {
  const loaded = signal<LoadedText | undefined>(undefined);
  const status = signal<Status>("paused");
  const position = createPosition();
  const reports = createReports(bridge, () => loaded.value?.id);
  let settling: ReturnType<typeof setTimeout> | undefined;

  const start = (clip: Clip) => sequence.player.start(clip, position.enter(clip), rate());
  const sequence: Sequence = {
    loaded,
    status,
    position,
    player: createClipPlayer(
      place,
      eventsOf(() => sequence, reports),
    ),
    isWanted: false,
    load({ reading: id, title, sentences, index, plays }) {
      sequence.player.clips.dropAfter(-1);
      loaded.value = { id, title, sentences };
      position.load(sentences);
      reports.restart();
      sequence.isWanted = plays;
      sequence.setStatus(plays ? "waiting" : "paused");
      sequence.goTo(index, 0, false);
    },
    goTo(index, share, isSkipping) {
      sequence.cancelRequest();
      sequence.player.stop();
      position.moveTo(index, share);
      position.update(undefined);
      if (!sequence.isWanted) return;
      const clip = sequence.player.clips.at(index);
      if (clip?.isReady) start(clip);
      else sequence.setStatus("waiting");
      // Sent even if the clip is loaded, because it also requests the next one.
      if (isSkipping) settling = setTimeout(sequence.request, settleMs);
      else sequence.request();
    },
    setStatus(next) {
      status.value = next;
      if (next === "playing") reports.playing(true);
      if (next === "paused" || next === "failed") reports.playing(false);
    },
    end(next) {
      sequence.isWanted = false;
      sequence.setStatus(next);
    },
    startIfDue(clip) {
      const index = position.index.value;
      const isDue = sequence.isWanted && sequence.player.current === undefined;
      if (isDue && clip.first <= index && index <= clip.last && clip.isReady) start(clip);
    },
    request: () => reports.want(position.index.value, sequence.player.clips.firsts),
    cancelRequest: () => clearTimeout(settling),
    reportIndex: () => reports.at(position.index.value),
    handle: (message) => handleMessage(sequence, message),
  };
  return sequence;
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
      const { position, reportIndex } = sequence();
      if (position.follow(clip)) reportIndex();
      position.update(clip);
    },
    onEnded(clip) {
      const { loaded, end, goTo } = sequence();
      const next = clip.last + 1;
      if (clip.isBroken) end("failed");
      else if (next < (loaded.value?.sentences.length ?? 0)) goTo(next, 0, false);
      else {
        end("paused");
        goTo(0, 0, false);
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

function failClip({ player, position, end }: Sequence, id: string, index: number): void {
  const clip = player.clips.get(id);
  if (clip && clip === player.current && clip.audio.currentTime > 0) {
    // The received part is played to its end.
    clip.isBroken = true;
    clip.end();
    return;
  }
  if (clip) player.clips.drop(clip);
  if (index === position.index.value) end("failed");
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
