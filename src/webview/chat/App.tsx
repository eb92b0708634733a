import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import type { Service } from "../../shared/chatState.ts";
import type { ErrorActionId } from "../../shared/errorActions.ts";
import type { Highlighter } from "../markdown/highlighter.ts";
import { Announcer } from "./Announcer.tsx";
import type { Bridge } from "./bridge.ts";
import { Composer } from "./Composer.tsx";
import { Conversation } from "./Conversation.tsx";
import type { ChatStore } from "./chatStore.ts";
import { IconButton } from "./icons.tsx";
import { Problem } from "./Problem.tsx";

export interface AppProps {
  readonly store: ChatStore;
  readonly bridge: Bridge;
  readonly highlighter: Highlighter;
}

export function App({ store, bridge, highlighter }: AppProps): JSX.Element {
  const state = store.state.value;
  const actions = useMemo(() => actionsOf(bridge), [bridge]);
  if (!state) return <main class="loading" aria-busy="true" />;
  const { problem, notice } = state;
  return (
    <main>
      {notice !== null && (
        <div class="notice" role="status">
          <span>{notice}</span>
          <IconButton name="close" label="Dismiss" onClick={() => bridge.post("dismissNotice", {})} />
        </div>
      )}
      {state.messages.length === 0 ? (
        <Welcome service={state.service} onAsk={(text) => ask(store, text)} />
      ) : (
        <Conversation state={state} bridge={bridge} highlighter={highlighter} {...actions} />
      )}
      {problem && (
        <Problem
          explanation={problem.explanation}
          onAction={(action) => actions.onAction(action, problem.answerId)}
        />
      )}
      <Composer store={store} bridge={bridge} state={state} />
      <Announcer state={state} />
    </main>
  );
}

function actionsOf(bridge: Bridge) {
  return {
    onCopy: (answerId: string) => bridge.post("copyAnswer", { answerId }),
    onRetry: (answerId: string) => bridge.post("retry", { answerId }),
    onAction: (action: ErrorActionId, answerId?: string) => {
      if (action === "retry") bridge.post("retry", answerId === undefined ? {} : { answerId });
      else bridge.post("act", { action });
    },
  };
}

function ask(store: ChatStore, text: string): void {
  store.type(text);
  store.send();
}

const suggestions: Readonly<Record<"sandbox" | "live", readonly string[]>> = {
  sandbox: [
    "What can you do?",
    "How do I connect my own key?",
    "What does a request cost?",
    "Show me the RPC networks",
  ],
  live: [
    "Explain what a monad is, with an example",
    "Write a regular expression for ISO dates",
    "Review this plan: …",
  ],
};

/** What an empty conversation says: who will answer, and how to begin. */
function Welcome(props: {
  readonly service: Service | null;
  readonly onAsk: (text: string) => void;
}): JSX.Element {
  const isSandbox = props.service?.kind === "sandbox";
  return (
    <div class="welcome">
      <h2>{isSandbox ? "Ask the sandbox" : "Ask anything"}</h2>
      <p>{introduction(props.service)}</p>
      <ul class="suggestions">
        {suggestions[isSandbox ? "sandbox" : "live"].map((text) => (
          <li key={text}>
            <button type="button" onClick={() => props.onAsk(text)}>
              {text}
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}

function introduction(service: Service | null): string {
  if (!service) return "No service is connected.";
  if (service.kind !== "sandbox") return `${service.name} answers.`;
  return "It runs on this machine, costs nothing, and answers from the documentation of this extension.";
}
