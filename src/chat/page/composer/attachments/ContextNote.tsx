import type { JSX } from "preact";
import type { ContextGauge } from "../../../protocol/chatState.ts";
import { chosenCard } from "../../details/chosenCard.ts";
import { formatTokens } from "../../format.ts";
import type { ChatPageDeps } from "../../store/chatDeps.ts";

/** A warning about messages that will not be sent, for a screen reader. The line over the prompt shows it. */
export function ContextNote({ deps }: { readonly deps: ChatPageDeps }): JSX.Element {
  return (
    <div class="context-note visually-hidden" role="status">
      {contextNote(deps)}
    </div>
  );
}

/** The warning as a sentence; null if all is sent. */
export function contextNote(deps: ChatPageDeps): string | null {
  const context = deps.store.field("context");
  return context && noteOf(context, chosenCard(deps)?.name ?? "the model");
}

/** The warning in a few words. */
export function shortContextNote({ store }: ChatPageDeps): string | undefined {
  const context = store.field("context");
  if (!context) return undefined;
  const { over, dropped, willSummarise } = context;
  if (over !== null) return "Too long to send";
  if (willSummarise) return "Will be summarised";
  return dropped === 0 ? undefined : `${dropped} not sent`;
}

function noteOf(context: ContextGauge, model: string): string | null {
  const { over, tokens, roomTokens, dropped, willSummarise } = context;
  if (over === "bytes") return "The attachments exceed the size limit of a request. Remove one.";
  if (over === "tokens") {
    const room = formatTokens(roomTokens ?? 0);
    const size = `about ${formatTokens(tokens)} tokens (${partsText(context)})`;
    return `This question alone makes a request of ${size}; ${model} has room for ${room}. Shorten it or remove an attachment.`;
  }
  if (willSummarise)
    return `The chat nearly fills the context of ${model}: the older messages are summarised before the next answer. They stay in the chat.`;
  if (dropped === 0) return null;
  const messages = dropped === 1 ? "The oldest message" : `The ${dropped} oldest messages`;
  return `${messages} will not be sent: the chat exceeds the context of ${model}.`;
}

/** What the tokens of a request are of: `system prompt 320, tools 2.4K, conversation 1.1K`. */
function partsText({ tokens, systemTokens, toolTokens }: ContextGauge): string {
  const parts = [
    ["system prompt", systemTokens],
    ["tools", toolTokens],
    ["conversation", Math.max(0, tokens - systemTokens - toolTokens)],
  ] as const;
  const sent = parts.filter(([name, size]) => size > 0 || name === "conversation");
  return sent.map(([name, size]) => `${name} ${formatTokens(size)}`).join(", ");
}

/** Share of the model's context that the next request fills. */
export function Gauge({ deps }: { readonly deps: ChatPageDeps }): JSX.Element | null {
  const context = deps.store.field("context");
  if (!context) return null;
  const { tokens, contextTokens, hasUnknown } = context;
  const about = `about ${formatTokens(tokens)}${hasUnknown ? " and a document's" : ""}`;
  const parts = partsText(context);
  if (contextTokens === null) return chosenCard(deps) ? <UnknownGauge about={about} parts={parts} /> : null;
  const percent = Math.min(100, Math.round((tokens / contextTokens) * 100));
  const words = `${about} of ${formatTokens(contextTokens)} tokens`;
  const title = `The next request fills ${words} of the model's context: ${parts}.`;
  return (
    <span class={percent >= 80 ? "gauge full" : "gauge"} title={title}>
      <meter
        class="visually-hidden"
        aria-label="Context used"
        max={100}
        value={percent}
        aria-valuetext={`${words}: ${parts}`}
      />
      <svg viewBox="0 0 16 16" width="14" height="14" aria-hidden="true">
        <circle class="gauge-track" cx="8" cy="8" r="6" />
        <circle class="gauge-fill" cx="8" cy="8" r="6" pathLength={100} stroke-dasharray={`${percent} 100`} />
      </svg>
      <span aria-hidden="true">{percent}%</span>
    </span>
  );
}

/** For a model whose context size nobody states. */
function UnknownGauge({ about, parts }: { readonly about: string; readonly parts: string }): JSX.Element {
  const words = `The next request has ${about} tokens: ${parts}. The size of the model's context is unknown.`;
  return (
    <span class="gauge" title={words}>
      <span class="visually-hidden">{words}</span>
      <span aria-hidden="true">? %</span>
    </span>
  );
}
