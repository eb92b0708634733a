import { TopUpCard } from "../../webview/ui/TopUpCard.tsx";
import type { StudioState } from "../protocol/studioState.ts";
import type { StudioModel } from "./studioModel.ts";

/** The result of the last request, with its actions. */
export function OutcomeNote({ model, state }: { readonly model: StudioModel; readonly state: StudioState }) {
  const { outcome } = state;
  const { bridge } = model;
  if (!outcome) return null;
  const { kind, text, picture, suggestion, actions, topUp } = outcome;
  const isBad = kind === "failed" || kind === "blocked" || kind === "unsaved";
  return (
    <div
      class={`outcome ${isBad ? "problem" : kind === "kept" ? "done" : "told"}`}
      role={isBad ? "alert" : "status"}
    >
      <p>{text}</p>
      {topUp && <TopUpCard topUp={topUp} />}
      {suggestion && <blockquote>{suggestion}</blockquote>}
      <div class="buttons">
        {suggestion && (
          <button type="button" class="button primary" onClick={() => bridge.post("useSuggestion", {})}>
            Use This Prompt
          </button>
        )}
        {kind === "unsaved" && (
          <>
            <button type="button" class="button primary" onClick={() => bridge.post("saveAgain", {})}>
              Save Again
            </button>
            <button type="button" class="button" onClick={() => bridge.post("saveAs", { name: picture })}>
              Save As…
            </button>
          </>
        )}
        {picture && (
          <button
            type="button"
            class="button"
            onClick={() => {
              model.opened.value = { kind: "picture", name: picture };
            }}
          >
            Show
          </button>
        )}
        {actions.map(({ id, label }) => (
          <button key={id} type="button" class="button" onClick={() => bridge.post("act", { action: id })}>
            {label}
          </button>
        ))}
        <button type="button" class="button" onClick={() => bridge.post("dismiss", {})}>
          Dismiss
        </button>
      </div>
    </div>
  );
}
