import { useEffect, useState } from "preact/hooks";
import { formatBytes } from "../../shared/chat/chatAttachments.ts";
import {
  type GenerationRun,
  maxDraftedPrompt,
  type StudioDraft,
  type StudioState,
  type Way,
} from "../protocol/studioState.ts";
import type { StudioModel } from "./studioModel.ts";

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
  const { sizes, ratios, resolutions, qualities } = state.controls;
  const formats = ["png", "jpeg", "webp"];
  const own = state.way === "generate" ? "PNG" : "Automatic";
  const select = (label: string, member: keyof StudioDraft, values: readonly string[], none: string) =>
    values.length > 0 && (
      <label class="field" key={member}>
        <span class="label">{label}</span>
        <select
          aria-label={label}
          value={values.includes(String(draft[member])) ? String(draft[member]) : ""}
          onChange={({ currentTarget }) => model.change({ [member]: currentTarget.value })}
        >
          <option value="">{none}</option>
          {values.map((value) => (
            <option key={value} value={value}>
              {value.replace("x", " × ")}
            </option>
          ))}
        </select>
      </label>
    );
  return (
    <>
      {select("Size", "size", sizes, "Automatic")}
      {select("Aspect ratio", "ratio", ratios, "Automatic")}
      {select("Resolution", "resolution", resolutions, "1K")}
      {select("Quality", "quality", qualities, "high")}
      {select("Format", "format", formats, own)}
    </>
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
