import type { Clip } from "./clip.ts";
import { type Clips, createClips } from "./clips.ts";

export interface ClipEvents {
  onPlaying(): void;
  /** The received audio has been played; more is coming. */
  onWaiting(): void;
  onTime(clip: Clip): void;
  onEnded(clip: Clip): void;
  onDuration(clip: Clip): void;
  /** The browser requires a click in the page first. */
  onBlocked(): void;
  /** The browser can't decode the clip, which has been dropped. */
  onUnplayable(clip: Clip): void;
}

/** The loaded clips of a text, of which at most one plays. */
export interface ClipPlayer {
  readonly clips: Clips;
  /** The clip that plays or is paused. */
  readonly current: Clip | undefined;
  /** Calls the events of a new clip while it is the current one. */
  listen(clip: Clip): void;
  start(clip: Clip, fromSeconds: number, rate: number): void;
  resume(): void;
  pause(): void;
  /** Pauses, and forgets the current clip. */
  stop(): void;
}

export function createClipPlayer(place: HTMLElement, events: ClipEvents): ClipPlayer {
  let current: Clip | undefined;
  const clips = createClips(place, (clip) => {
    if (current === clip) current = undefined;
  });
  const drop = (clip: Clip) => {
    if (!clips.has(clip)) return;
    clips.drop(clip);
    events.onUnplayable(clip);
  };
  const play = (clip: Clip) =>
    clip.audio.play().catch((error: unknown) => {
      const name = error instanceof DOMException ? error.name : "";
      if (!clips.has(clip) || name === "AbortError") return;
      if (name === "NotAllowedError") events.onBlocked();
      else drop(clip);
    });
  return {
    clips,
    get current() {
      return current;
    },
    listen(clip) {
      const { audio } = clip;
      const on = (type: keyof HTMLMediaElementEventMap, listener: () => void) =>
        audio.addEventListener(type, () => {
          if (current === clip) listener();
        });
      audio.addEventListener("durationchange", () => events.onDuration(clip));
      audio.addEventListener("error", () => {
        if (audio.error && audio.hasAttribute("src")) drop(clip);
      });
      on("playing", events.onPlaying);
      on("waiting", events.onWaiting);
      on("timeupdate", () => events.onTime(clip));
      on("ended", () => events.onEnded(clip));
    },
    start(clip, fromSeconds, rate) {
      if (current !== clip) current?.audio.pause();
      current = clip;
      if (Math.abs(clip.audio.currentTime - fromSeconds) > 0.05) clip.audio.currentTime = fromSeconds;
      clip.audio.playbackRate = rate;
      void play(clip);
    },
    resume() {
      if (current) void play(current);
    },
    pause: () => current?.audio.pause(),
    stop() {
      current?.audio.pause();
      current = undefined;
    },
  };
}
