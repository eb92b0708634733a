import type { RefObject } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { decimalText } from "../../shared/money/exact.ts";
import type {
  PlayerState,
  SpeechChange,
  SpeechChoice,
  SpeechModelCard,
  Support,
} from "../protocol/speechProtocol.ts";
import type { PlayerModel } from "./playerModel.ts";
import { VoiceList } from "./VoiceList.tsx";

const formatNames = { mp3: "MP3", opus: "Opus", aac: "AAC", flac: "FLAC", wav: "WAV", pcm: "PCM" } as const;

export interface SettingsProps {
  readonly state: PlayerState;
  readonly model: PlayerModel;
}

/** Model, voice and options of requests. Changes apply from the next sentence on. */
export function PlayerSettings({ state, model }: SettingsProps) {
  const { choice, models, modelsProblem } = state;
  const card = models.find(({ id }) => id === choice.modelId);
  const choose = (change: SpeechChange) => model.bridge.post("choose", { change });
  if (!card) {
    return (
      <p class="quiet">
        {modelsProblem || "Reading the models…"}{" "}
        {modelsProblem && (
          <button type="button" class="button" onClick={() => model.bridge.post("reloadModels", {})}>
            Try Again
          </button>
        )}
      </p>
    );
  }
  return (
    <section class="settings" aria-label="Voice and model">
      <div class="fields">
        <ModelField models={models} card={card} choose={choose} />
        <FormatField choice={choice} card={card} choose={choose} />
        <NumberField
          label="Speaking speed"
          hint="0.25 to 4, applied by the service"
          range={[0.25, 4]}
          value={choice.speed}
          onValue={(speed) => choose({ speed: speed ?? 1 })}
        />
        <LanguageField choice={choice} choose={choose} />
        {card.temperature !== "no" && (
          <NumberField
            label="Temperature"
            hint={hintOf("0 to 2", card.temperature)}
            range={[0, 2]}
            value={choice.temperature}
            onValue={(temperature) => choose({ temperature })}
          />
        )}
        {card.topP !== "no" && (
          <NumberField
            label="Top-p"
            hint={hintOf("0 to 1", card.topP)}
            range={[0, 1]}
            value={choice.topP}
            onValue={(topP) => choose({ topP })}
          />
        )}
        {card.style !== "no" && <StyleField card={card} choice={choice} choose={choose} />}
      </div>
      <VoiceList
        key={card.id}
        state={state}
        card={card}
        model={model}
        onVoice={(voice) => choose({ voice })}
      />
    </section>
  );
}

function hintOf(range: string, support: Support): string {
  return support === "unknown" ? `${range}; not every model supports it` : range;
}

interface NumberFieldProps {
  readonly label: string;
  readonly hint: string;
  readonly range: readonly [low: number, high: number];
  readonly value: number | null;
  /** Null means the model's default. */
  readonly onValue: (value: number | null) => void;
}

function NumberField({ label, hint, range: [low, high], value, onValue }: NumberFieldProps) {
  return (
    <label title={hint}>
      <span>{label}</span>
      <input
        type="number"
        min={low}
        max={high}
        step={0.05}
        placeholder="Model's default"
        {...useTypedText<HTMLInputElement>(String(value ?? ""))}
        onChange={({ currentTarget }) => {
          const typed = currentTarget.valueAsNumber;
          const within = Number.isNaN(typed) ? null : Math.min(high, Math.max(low, typed));
          currentTarget.value = String(within ?? "");
          onValue(within);
        }}
      />
    </label>
  );
}

interface TextFieldProps {
  readonly choice: SpeechChoice;
  readonly choose: (change: SpeechChange) => void;
}

interface ModelFieldProps extends Pick<TextFieldProps, "choose"> {
  readonly models: readonly SpeechModelCard[];
  readonly card: SpeechModelCard;
}

function ModelField({ models, card, choose }: ModelFieldProps) {
  return (
    <label>
      <span>Model</span>
      <select value={card.id} onChange={({ currentTarget }) => choose({ modelId: currentTarget.value })}>
        {models.map(({ id, name, usdPerMillion }) => (
          <option key={id} value={id}>
            {name}
            {usdPerMillion === undefined ? "" : `, $${decimalText(usdPerMillion)} per million characters`}
          </option>
        ))}
      </select>
    </label>
  );
}

function FormatField({ choice, card, choose }: TextFieldProps & { readonly card: SpeechModelCard }) {
  return (
    <label>
      <span>Format</span>
      <select
        value={choice.format}
        onChange={({ currentTarget }) => {
          const format = card.formats.find((one) => one === currentTarget.value);
          if (format) choose({ format });
        }}
      >
        {card.formats.map((format) => (
          <option key={format} value={format}>
            {formatNames[format]}
          </option>
        ))}
      </select>
    </label>
  );
}

function LanguageField({ choice, choose }: TextFieldProps) {
  const { language } = choice;
  // The longest is that of the box (spec E7).
  const isTooShort = language.length === 1;
  return (
    <>
      <label>
        <span>Language</span>
        <input
          type="text"
          maxLength={32}
          placeholder="Language of the text"
          title="A code such as en, or a name such as English, depending on the model"
          aria-invalid={isTooShort}
          {...useTypedText<HTMLInputElement>(language)}
          onChange={({ currentTarget }) => choose({ language: currentTarget.value.trim() })}
        />
      </label>
      {isTooShort && (
        <p class="problem" role="alert">
          A language has 2 to 32 characters, such as en; “{language}” has 1.
        </p>
      )}
    </>
  );
}

function StyleField({ card, choice, choose }: TextFieldProps & { readonly card: SpeechModelCard }) {
  return (
    <label class="wide">
      <span>Style</span>
      <textarea
        rows={2}
        maxLength={500}
        placeholder="How to speak: calm, slowly, like a news reader…"
        title={hintOf("At most 500 characters", card.style)}
        {...useTypedText<HTMLTextAreaElement>(choice.style)}
        onChange={({ currentTarget }) => choose({ style: currentTarget.value.trim() })}
      />
    </label>
  );
}

type TextBox = HTMLInputElement | HTMLTextAreaElement;

/** Attributes of a text box, in place of its `value`. */
interface TypedText<Of extends TextBox> {
  readonly ref: RefObject<Of | null>;
  readonly onInput: () => void;
  readonly onBlur: () => void;
}

/** Shows `value`, but never replaces typed text: it is reported only when the box loses the focus. */
function useTypedText<Of extends TextBox>(value: string): TypedText<Of> {
  const ref = useRef<Of>(null);
  const isTyped = useRef(false);
  const show = () => {
    if (ref.current) ref.current.value = value;
    isTyped.current = false;
  };
  useLayoutEffect(() => {
    if (!isTyped.current || ref.current !== document.activeElement) show();
  }, [value]);
  return {
    ref,
    onInput() {
      isTyped.current = true;
    },
    onBlur() {
      // Typed text has been reported, and comes back as the value.
      if (!isTyped.current) show();
    },
  };
}
