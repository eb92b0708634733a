import { useEffect, useRef } from "preact/hooks";
import { PlayerIconButton } from "./icons.ts";
import type { PlayerModel } from "./playerModel.ts";
import type { Status } from "./sound/sequence.ts";

const rates = [0.5, 0.75, 1, 1.25, 1.5, 1.75, 2, 2.5, 3];

const words: Readonly<Record<Status, string>> = {
  playing: "Reading",
  paused: "Paused",
  waiting: "Waiting for the sound…",
  blocked: "Press Play: audio can start only after a click in this view.",
  failed: "Stopped",
};

export interface TransportProps {
  readonly model: PlayerModel;
  readonly isOpen: boolean;
  readonly onSettings: () => void;
}

/** Play, position and speed. */
export function PlaybackBar({ model, isOpen, onSettings }: TransportProps) {
  const { playback, bridge } = model;
  const loaded = playback.loaded.value;
  const status = playback.status.value;
  const isOn = status === "playing" || status === "waiting";
  const nothing = loaded === undefined;
  return (
    <>
      <div class="row transport">
        <PlayerIconButton
          name="previous"
          label="Previous Sentence"
          disabled={nothing}
          onClick={() => playback.previous()}
        />
        <PlayerIconButton
          name="back"
          label="15 Seconds Back"
          disabled={nothing}
          onClick={() => playback.back()}
        />
        <PlayButton
          isOn={isOn}
          isBlocked={status === "blocked"}
          disabled={nothing}
          onClick={() => playback.toggle()}
        />
        <PlayerIconButton
          name="forward"
          label="15 Seconds On"
          disabled={nothing}
          onClick={() => playback.forward()}
        />
        <PlayerIconButton
          name="next"
          label="Next Sentence"
          disabled={nothing}
          onClick={() => playback.next()}
        />
        <PlayerIconButton
          name="stop"
          label="Stop"
          disabled={nothing || !isOn}
          onClick={() => {
            playback.pause();
            bridge.post("stop", {});
          }}
        />
        <Slider model={model} />
        <SpeedSelect model={model} />
        <PlayerIconButton
          name="save"
          label="Save as File…"
          disabled={nothing}
          onClick={() => bridge.post("save", {})}
        />
        <PlayerIconButton name="settings" label="Voice and Model" pressed={isOpen} onClick={onSettings} />
      </div>
      <ReadingFacts model={model} />
    </>
  );
}

/** What is read, and how far it is. */
function ReadingFacts({ model }: Pick<TransportProps, "model">) {
  const { playback, bridge } = model;
  const loaded = playback.loaded.value;
  const status = playback.status.value;
  if (!loaded) return null;
  return (
    <p class="facts">
      <strong>{loaded.title}</strong>
      <span class="quiet">
        {" "}
        · sentence {playback.index.value + 1} of {loaded.sentences.length}
      </span>{" "}
      <span role="status" class={status === "blocked" ? "blocked" : "quiet"}>
        · {words[status]}
      </span>{" "}
      {model.state.value?.isAway && (
        <button
          type="button"
          class="button"
          title="Reveals the current sentence and follows it again"
          onClick={() => bridge.post("comeBack", {})}
        >
          Follow
        </button>
      )}
    </p>
  );
}

function SpeedSelect({ model: { playback } }: Pick<TransportProps, "model">) {
  return (
    <select
      aria-label="Playing speed"
      title="Playback speed. Changing it costs nothing."
      value={playback.rate.value}
      onChange={({ currentTarget }) => playback.setRate(Number(currentTarget.value))}
    >
      {rates.map((rate) => (
        <option key={rate} value={rate}>
          {rate}×
        </option>
      ))}
    </select>
  );
}

interface PlayButtonProps {
  readonly isOn: boolean;
  readonly isBlocked: boolean;
  readonly disabled: boolean;
  readonly onClick: () => void;
}

/** Takes the focus while only a click on it can start playback. */
function PlayButton({ isOn, isBlocked, disabled, onClick }: PlayButtonProps) {
  const place = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    if (isBlocked) place.current?.querySelector("button")?.focus();
  }, [isBlocked]);
  return (
    <span ref={place} class={isBlocked ? "wanted" : ""}>
      <PlayerIconButton
        name={isOn ? "pause" : "play"}
        label={isOn ? "Pause" : "Play"}
        disabled={disabled}
        className="primary"
        onClick={onClick}
      />
    </span>
  );
}

/** The browser's own steps are tenths of a second, and twelve minutes in a text of two hours. */
const sliderSeconds: Readonly<Record<string, number>> = {
  ArrowRight: 5,
  ArrowUp: 5,
  ArrowLeft: -5,
  ArrowDown: -5,
  PageUp: 60,
  PageDown: -60,
};

function Slider({ model: { playback } }: { readonly model: PlayerModel }) {
  const { elapsed, total } = playback.time.value;
  const text = `${clock(elapsed)} / ${clock(total)}`;
  return (
    <span class="time">
      <input
        type="range"
        aria-label="Position"
        aria-valuetext={`${clock(elapsed)} of ${clock(total)}`}
        min={0}
        max={Math.max(1, total)}
        step={0.1}
        value={elapsed}
        disabled={playback.loaded.value === undefined}
        onChange={({ currentTarget }) => playback.seek(Number(currentTarget.value))}
        onKeyDown={(event) => {
          const by = sliderSeconds[event.key];
          if (by === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
          event.preventDefault();
          playback.seek(Math.min(total, Math.max(0, elapsed + by)));
        }}
      />
      <span class="clock">{text}</span>
    </span>
  );
}

/** 75 → "1:15", 7,378 → "2:02:58" */
function clock(seconds: number): string {
  const whole = Math.round(seconds);
  const hours = Math.floor(whole / 3600);
  if (hours > 0)
    return `${hours}:${String(Math.floor(whole / 60) % 60).padStart(2, "0")}:${String(whole % 60).padStart(2, "0")}`;
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}
