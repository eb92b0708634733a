import type { Clip } from "./clip.ts";
import { Clips } from "./clips.ts";

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
export class ClipPlayer {
  readonly #events: ClipEvents;
  #current: Clip | undefined;
  readonly clips: Clips;

  constructor(place: HTMLElement, events: ClipEvents) {
    this.#events = events;
    this.clips = new Clips(place, (clip) => {
      if (this.#current === clip) this.#current = undefined;
    });
  }

  /** The clip that plays or is paused. */
  get current(): Clip | undefined {
    return this.#current;
  }

  /** Calls the events of a new clip while it is the current one. */
  listen(clip: Clip): void {
    const { audio } = clip;
    const on = (type: keyof HTMLMediaElementEventMap, listener: () => void) =>
      audio.addEventListener(type, () => {
        if (this.#current === clip) listener();
      });
    audio.addEventListener("durationchange", () => this.#events.onDuration(clip));
    audio.addEventListener("error", () => {
      if (audio.error && audio.hasAttribute("src")) this.#drop(clip);
    });
    on("playing", this.#events.onPlaying);
    on("waiting", this.#events.onWaiting);
    on("timeupdate", () => this.#events.onTime(clip));
    on("ended", () => this.#events.onEnded(clip));
  }

  start(clip: Clip, fromSeconds: number, rate: number): void {
    if (this.#current !== clip) this.#current?.audio.pause();
    this.#current = clip;
    if (Math.abs(clip.audio.currentTime - fromSeconds) > 0.05) clip.audio.currentTime = fromSeconds;
    clip.audio.playbackRate = rate;
    void this.#play(clip);
  }

  resume(): void {
    if (this.#current) void this.#play(this.#current);
  }

  pause(): void {
    this.#current?.audio.pause();
  }

  /** Pauses, and forgets the current clip. */
  stop(): void {
    this.#current?.audio.pause();
    this.#current = undefined;
  }

  #drop(clip: Clip): void {
    if (!this.clips.has(clip)) return;
    this.clips.drop(clip);
    this.#events.onUnplayable(clip);
  }

  #play(clip: Clip): Promise<void> {
    return clip.audio.play().catch((error: unknown) => {
      const name = error instanceof DOMException ? error.name : "";
      if (!this.clips.has(clip) || name === "AbortError") return;
      if (name === "NotAllowedError") this.#events.onBlocked();
      else this.#drop(clip);
    });
  }
}
