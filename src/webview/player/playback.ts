import { type ReadonlySignal, signal } from "@preact/signals";
import type { ToPlayer } from "../../shared/speechProtocol.ts";
import type { PlayerBridge } from "./bridge.ts";
import type { Clip } from "./clip.ts";
import { createClips } from "./clips.ts";
import { createTimeline, type Timeline } from "./timeline.ts";

/** A text that is being read. */
interface LoadedText {
  readonly id: string;
  readonly title: string;
  readonly sentences: readonly string[];
}

/** `blocked`: the browser requires a click in this page first. */
export type Status = "paused" | "waiting" | "playing" | "blocked" | "failed";

/** Plays the clips of a text in order, and requests them. */
export interface Playback {
  readonly loaded: ReadonlySignal<LoadedText | undefined>;
  readonly status: ReadonlySignal<Status>;
  /** The current sentence. */
  readonly index: ReadonlySignal<number>;
  /** Elapsed and total seconds, as far as they are known. */
  readonly time: ReadonlySignal<{ readonly elapsed: number; readonly total: number }>;
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

/** Debounce while skipping, so skipped sentences aren't billed (ms). */
const settleMs = 250;
/** After this time, in seconds, "previous" restarts the current sentence. */
const restartSeconds = 2;

export function createPlayback(bridge: PlayerBridge, place: HTMLElement): Playback {
  const loaded = signal<LoadedText | undefined>(undefined);
  const status = signal<Status>("paused");
  const index = signal(0);
  const time = signal({ elapsed: 0, total: 0 });
  const rate = signal(bridge.kept?.rate ?? 1);
  const clips = createClips(place, (clip) => {
    if (sounding === clip) sounding = undefined;
  });
  let timeline: Timeline = createTimeline([]);
  let sounding: Clip | undefined;
  let isWanted = false;
  let share = 0;
  let settling: ReturnType<typeof setTimeout> | undefined;
  let reported = false;

  const reportPlaying = (isPlaying: boolean) => {
    const reading = loaded.value?.id;
    if (reading === undefined || reported === isPlaying) return;
    reported = isPlaying;
    bridge.post("playing", { reading, isPlaying });
  };
  const setStatus = (next: Status) => {
    status.value = next;
    if (next === "paused" || next === "failed") reportPlaying(false);
  };
  const reportTime = () => {
    const start = timeline.startOf(index.value);
    const inside = sounding
      ? sounding.audio.currentTime - durationOf(sounding) * timeline.shareBefore(sounding, index.value)
      : share * timeline.secondsOf(index.value);
    time.value = { elapsed: start + Math.max(0, inside), total: timeline.total };
  };
  const ask = () => {
    const reading = loaded.value?.id;
    if (reading === undefined) return;
    bridge.post("want", { reading, index: index.value, has: clips.firsts });
  };
  const silence = () => {
    sounding?.audio.pause();
    sounding = undefined;
  };
  const refused = (clip: Clip, error: unknown) => {
    if (!clips.has(clip) || (error instanceof DOMException && error.name === "AbortError")) return;
    if (error instanceof DOMException && error.name === "NotAllowedError") {
      isWanted = false;
      return setStatus("blocked");
    }
    cannotPlay(clip);
  };
  const cannotPlay = (clip: Clip) => {
    const reading = loaded.value?.id;
    if (reading === undefined || !clips.has(clip)) return;
    isWanted = false;
    setStatus("failed");
    bridge.post("unplayable", { reading, clip: clip.id, index: clip.first, format: clip.format });
    clips.drop(clip);
  };
  const start = (clip: Clip) => {
    if (sounding !== clip) sounding?.audio.pause();
    sounding = clip;
    const duration = durationOf(clip);
    const before = timeline.shareBefore(clip, index.value);
    const inSentence = (share * timeline.secondsOf(index.value)) / (duration || 1);
    const from = duration * Math.min(0.999, before + inSentence);
    if (Math.abs(clip.audio.currentTime - from) > 0.05) clip.audio.currentTime = from;
    share = 0;
    clip.audio.playbackRate = rate.value;
    clip.audio.play().catch((error: unknown) => refused(clip, error));
  };
  /** Continues at a sentence; `isSkipping` if the user may skip further. */
  const goTo = (to: number, from: number, isSkipping: boolean) => {
    clearTimeout(settling);
    silence();
    index.value = to;
    share = from;
    reportTime();
    const clip = clips.at(to);
    if (isWanted && clip?.isReady) start(clip);
    else if (isWanted) setStatus("waiting");
    if (!isWanted) return;
    // Sent even if the clip is loaded, because it also requests the next one.
    if (isSkipping) settling = setTimeout(ask, settleMs);
    else ask();
  };
  const finish = () => {
    const reading = loaded.value?.id;
    isWanted = false;
    silence();
    index.value = 0;
    share = 0;
    setStatus("paused");
    reportTime();
    if (reading !== undefined) bridge.post("ended", { reading });
  };
  const listen = (clip: Clip) => {
    const { audio } = clip;
    const on = (type: keyof HTMLMediaElementEventMap, listener: () => void) =>
      audio.addEventListener(type, () => {
        if (sounding === clip) listener();
      });
    audio.addEventListener("durationchange", () => timeline.learn(clip));
    audio.addEventListener("error", () => {
      if (audio.error && audio.hasAttribute("src")) cannotPlay(clip);
    });
    on("playing", () => {
      setStatus("playing");
      reportPlaying(true);
      reportAt();
    });
    on("waiting", () => {
      if (isWanted) setStatus("waiting");
    });
    on("timeupdate", () => {
      follow(clip);
      reportTime();
    });
    on("ended", () => {
      const next = clip.last + 1;
      if (clip.isBroken) {
        isWanted = false;
        return setStatus("failed");
      }
      if (next < (loaded.value?.sentences.length ?? 0)) goTo(next, 0, false);
      else finish();
    });
  };
  /** The current sentence of a clip with several, estimated by its share of the text. */
  const follow = (clip: Clip) => {
    if (clip.first === clip.last || !Number.isFinite(clip.audio.duration)) return;
    const received = clip.audio.currentTime / clip.audio.duration;
    let at = clip.first;
    while (at < clip.last && timeline.shareBefore(clip, at + 1) <= received) at += 1;
    if (at === index.value) return;
    index.value = at;
    reportAt();
  };
  const reportAt = () => {
    const reading = loaded.value?.id;
    if (reading !== undefined) bridge.post("at", { reading, index: index.value });
  };
  const load = (message: Extract<ToPlayer, { readonly type: "load" }>) => {
    clearTimeout(settling);
    clips.dropAfter(-1);
    const { reading: id, title, sentences } = message;
    loaded.value = { id, title, sentences };
    timeline = createTimeline(sentences);
    reported = false;
    isWanted = message.plays;
    setStatus(message.plays ? "waiting" : "paused");
    goTo(message.index, 0, false);
  };
  const take = (message: Extract<ToPlayer, { readonly type: "clip" }>) => {
    const clip = message.reading === loaded.value?.id ? clips.add(message) : undefined;
    if (!clip) return;
    listen(clip);
    clips.evict(index.value);
    startIfDue(clip);
  };
  const startIfDue = (clip: Clip) => {
    const isDue = isWanted && sounding === undefined && clip.first <= index.value && index.value <= clip.last;
    if (isDue && clip.isReady) start(clip);
  };
  const fail = (id: string, at: number) => {
    const clip = clips.get(id);
    if (clip && clip === sounding && clip.audio.currentTime > 0) {
      clip.isBroken = true;
      clip.end();
      return;
    }
    if (clip) clips.drop(clip);
    if (at !== index.value) return;
    isWanted = false;
    setStatus("failed");
  };
  const playback: Playback = {
    loaded,
    status,
    index,
    time,
    rate,
    play() {
      if (!loaded.value) return;
      isWanted = true;
      if (sounding && !sounding.isBroken) {
        void sounding.audio.play().catch((error: unknown) => sounding && refused(sounding, error));
        ask();
      } else goTo(index.value, share, false);
    },
    pause() {
      isWanted = false;
      clearTimeout(settling);
      sounding?.audio.pause();
      if (loaded.value) setStatus("paused");
    },
    toggle() {
      if (isWanted) playback.pause();
      else playback.play();
    },
    next() {
      const last = (loaded.value?.sentences.length ?? 0) - 1;
      if (index.value < last) skipTo(index.value + 1);
    },
    previous() {
      const inside = time.value.elapsed - timeline.startOf(index.value);
      skipTo(inside > restartSeconds ? index.value : Math.max(0, index.value - 1));
    },
    seek(seconds) {
      const { index: to, share: from } = timeline.at(seconds);
      goTo(to, from, true);
      if (!isWanted) reportAt();
    },
    setRate(next) {
      rate.value = next;
      bridge.keep({ rate: next });
      clips.setRate(next);
    },
    handle(message) {
      switch (message.type) {
        case "load":
          return load(message);
        case "forget":
          return clips.dropAfter(message.after);
        case "clip":
          return take(message);
        case "piece":
          return clips.get(message.clip)?.push(message.bytes);
        case "clipEnd": {
          const clip = clips.get(message.clip);
          clip?.end();
          if (clip) startIfDue(clip);
          return;
        }
        case "clipFailed":
          return fail(message.clip, message.index);
        case "control":
          return playback[message.control]();
        default:
      }
    },
  };
  const skipTo = (to: number) => {
    goTo(to, 0, true);
    // A paused text also shows its position.
    if (!isWanted) reportAt();
  };
  return playback;
}

/** Streamed audio has no duration before it ends. */
function durationOf({ audio }: Clip): number {
  return Number.isFinite(audio.duration) ? audio.duration : 0;
}
