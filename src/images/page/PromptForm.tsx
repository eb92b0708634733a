import { useEffect, useState } from "preact/hooks";
import { formatBytes } from "../../shared/chat/chatAttachments.ts";
import { imageFormat, imageFormats } from "../../shared/images/imageFormats.ts";
import {
  type GenerationRun,
  maxDraftedPrompt,
  maxResolution,
  type StudioDraft,
  type StudioState,
  type Way,
} from "../protocol/studioState.ts";
import type { StudioModel } from "./studioModel.ts";

/** The formats that the service makes, without the one that it makes anyway. */
function formatsBeside(own: string): readonly string[] {
  return imageFormats.filter(({ isSent, name }) => isSent && name !== own).map(({ id }) => id);
}

const makes: Readonly<Record<Way, string>> = {
  generate: "Make Picture",
  edit: "Edit Picture",
  combine: "Combine Pictures",
};

interface FormProps {
  readonly model: StudioModel;
  readonly state: StudioState;
}

/** The prompt, the options of the model, the price, and the button that sends the request. */
export function PromptForm({ model, state }: FormProps) {
  const draft = model.draft.value;
  if (!draft) return null;
  const make = () => {
    // An open older picture could be mistaken for the new one.
    model.opened.value = undefined;
    model.bridge.post("make", {});
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (state.problem === "" && !state.run) make();
      }}
    >
      <Prompt model={model} state={state} draft={draft} />
      <div class="choices">
        <ModelChoice model={model} state={state} />
        <Choices model={model} state={state} draft={draft} />
      </div>
      <label class="check" title={`Sent as ${safetyMember(state.way, draft)}`}>
        <input
          type="checkbox"
          checked={draft.blursAdult}
          onChange={({ currentTarget }) => model.change({ blursAdult: currentTarget.checked })}
        />
        <span>Blur adult content</span>
      </label>
      {state.controls.takesEnhancing && (
        <label class="check" title={`Sent as enhance_prompt: ${draft.enhances}`}>
          <input
            type="checkbox"
            checked={draft.enhances}
            onChange={({ currentTarget }) => model.change({ enhances: currentTarget.checked })}
          />
          <span>Let the service improve the prompt, which may cost extra</span>
        </label>
      )}
      {state.run ? (
        <Progress run={state.run} onStop={() => model.bridge.post("stop", {})} />
      ) : (
        <div class="go">
          <button type="submit" class="button primary" disabled={state.problem !== ""}>
            {state.layers.some(({ isMask }) => isMask) ? "Inpaint Picture" : makes[state.way]}
            {state.price && ` · ${state.price}`}
          </button>
          <NewButton model={model} state={state} />
          <span class="quiet why" role="status">
            {state.problem || (state.price === "" ? "The service lists no price." : "")}
          </span>
        </div>
      )}
    </form>
  );
}

/** Resets the form. The former values can be restored until a setting is changed. */
function NewButton({ model, state }: FormProps) {
  const isEmpty = model.draft.value?.prompt === "" && state.layers.length === 0;
  if (isEmpty && state.hasEarlier) {
    return (
      <button type="button" class="button" onClick={() => model.bridge.post("bringBack", {})}>
        Bring Back
      </button>
    );
  }
  return (
    <button
      type="button"
      class="button"
      title="Clears the prompt, the pictures to edit and the mask"
      disabled={isEmpty}
      onClick={() => model.bridge.post("new", {})}
    >
      New
    </button>
  );
}

function Prompt({ model, state, draft }: FormProps & { readonly draft: StudioDraft }) {
  const limit = state.controls.promptLimit;
  const { length } = draft.prompt;
  const isOver = length > limit;
  const label = state.way === "generate" ? "What the picture shows" : "What to change";
  return (
    <label class="field prompt">
      <span class="label">
        {label}
        <span class={isOver ? "count over" : "count quiet"} aria-live={isOver ? "polite" : "off"}>
          {length.toLocaleString("en-US")} / {limit.toLocaleString("en-US")} characters
        </span>
      </span>
      <textarea
        rows={5}
        maxLength={maxDraftedPrompt}
        aria-label="Prompt"
        aria-invalid={isOver}
        value={draft.prompt}
        onInput={({ currentTarget }) => model.change({ prompt: currentTarget.value })}
        onKeyDown={(event) => {
          if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
          event.preventDefault();
          event.currentTarget.form?.requestSubmit();
        }}
      />
    </label>
  );
}

function ModelChoice({ model, state }: FormProps) {
  const chosen = state.models.find(({ id }) => id === state.model);
  return (
    <label class="field model">
      <span class="label">Model</span>
      <select
        aria-label="Model"
        value={state.model}
        title={chosen?.description}
        onChange={({ currentTarget: { value } }) =>
          model.change(state.way === "generate" ? { generateModel: value } : { editModel: value })
        }
      >
        {state.models.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}

function Choices({ model, state, draft }: FormProps & { readonly draft: StudioDraft }) {
  const { sizes, ratios, resolutions, takesResolution, qualities } = state.controls;
  const problems = state.outcome?.fields ?? {};
  const own = state.way === "generate" ? "PNG" : "Automatic";
  const choice = (
    label: string,
    member: ChoiceMember,
    wire: string,
    values: readonly string[],
    none: string,
  ) => ({
    label,
    value: draft[member],
    values,
    none,
    problem: problems[wire] ?? "",
    onValue: (value: string) => model.change({ [member]: value }),
  });
  return (
    <>
      <Select {...choice("Size", "size", "size", sizes, "Automatic")} />
      <Select {...choice("Aspect ratio", "ratio", "aspect_ratio", ratios, "Automatic")} />
      {takesResolution && (
        <Resolution
          key={state.model}
          {...choice("Resolution", "resolution", "resolution", resolutions, "1K")}
        />
      )}
      <Select {...choice("Quality", "quality", "quality", qualities, "high")} />
      <Select {...choice("Format", "format", "output_format", formatsBeside(own), own)} />
    </>
  );
}

type ChoiceMember = "size" | "ratio" | "resolution" | "quality" | "format";

interface ChoiceProps {
  readonly label: string;
  readonly value: string;
  readonly values: readonly string[];
  /** What the service takes if nothing is sent. */
  readonly none: string;
  /** What the service, or a check before it, says about this member. */
  readonly problem: string;
  readonly onValue: (value: string) => void;
}

function Select({ label, value, values, none, problem, onValue }: ChoiceProps) {
  if (values.length === 0) return null;
  return (
    <div class="field">
      <label class="field">
        <span class="label">{label}</span>
        <select
          aria-label={label}
          aria-invalid={problem !== ""}
          value={values.includes(value) ? value : ""}
          onChange={({ currentTarget }) => onValue(currentTarget.value)}
        >
          <option value="">{none}</option>
          {values.map((one) => (
            <option key={one} value={one}>
              {imageFormat(one)?.name ?? one.replace("x", " × ")}
            </option>
          ))}
        </select>
      </label>
      <FieldProblem text={problem} />
    </div>
  );
}

/** No resolution of a model is listed with this value. */
const otherResolution = "\0other";

/** A list with *Other…*, or only a text box for a model that lists none (spec E5, E13). */
function Resolution(props: ChoiceProps) {
  const { label, value, values, none, problem, onValue } = props;
  const [isOther, setIsOther] = useState(value !== "" && !values.includes(value));
  const isWritten = values.length === 0 || isOther;
  return (
    <div class="field">
      {values.length > 0 && (
        <label class="field">
          <span class="label">{label}</span>
          <select
            aria-label={label}
            value={isOther ? otherResolution : value}
            onChange={({ currentTarget }) => {
              const isNowOther = currentTarget.value === otherResolution;
              setIsOther(isNowOther);
              onValue(isNowOther ? "" : currentTarget.value);
            }}
          >
            <option value="">{none}</option>
            {values.map((one) => (
              <option key={one} value={one}>
                {one}
              </option>
            ))}
            <option value={otherResolution}>Other…</option>
          </select>
        </label>
      )}
      {isWritten && (
        <label class="field">
          <span class="label">{values.length > 0 ? "Other resolution" : label}</span>
          <input
            type="text"
            maxLength={maxResolution}
            placeholder={none}
            title="1 to 10 characters, as the model names its resolutions. Without one, the service takes 1K."
            aria-invalid={problem !== ""}
            value={value}
            onInput={({ currentTarget }) => onValue(currentTarget.value)}
          />
        </label>
      )}
      <FieldProblem text={problem} />
    </div>
  );
}

function FieldProblem({ text }: { readonly text: string }) {
  return text === "" ? null : (
    <span class="over" role="alert">
      {text}
    </span>
  );
}

/** The name of the parameter differs between generation and edits (spec E11, E5). */
function safetyMember(way: Way, { blursAdult }: StudioDraft): string {
  if (way === "generate") return `moderation: ${blursAdult ? "auto" : "low"}`;
  return `safe_mode: ${blursAdult}`;
}

function Progress({ run, onStop }: { readonly run: GenerationRun; readonly onStop: () => void }) {
  const seconds = useSeconds(run.startedMs);
  const { received, total } = run;
  const of = total > 0 ? ` of ${formatBytes(total)}` : "";
  const texts: Readonly<Record<GenerationRun["phase"], string>> = {
    waiting: "Waiting for the picture",
    receiving: `Receiving ${formatBytes(received)}${of}`,
    saving: "Saving the file",
  };
  return (
    <div class="go">
      <button type="button" class="button" onClick={onStop}>
        Stop
      </button>
      <span class="why" role="status">
        {texts[run.phase]}
      </span>
      <span class="quiet" aria-hidden="true">
        {seconds} s
      </span>
      <progress aria-label="Making the picture" {...(total > 0 ? { max: total, value: received } : {})} />
    </div>
  );
}

function useSeconds(startedMs: number): number {
  const [nowMs, setNowMs] = useState(Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNowMs(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  return Math.max(0, Math.floor((nowMs - startedMs) / 1000));
}
