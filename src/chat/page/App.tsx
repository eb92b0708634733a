import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { ModelCard } from "../../shared/chat/chatModels.ts";
import { visibleLine } from "../../shared/text/html/visibleText.ts";
import type { AnswerState } from "../protocol/chatMessages.ts";
import type { Service } from "../protocol/chatState.ts";
import { Composer } from "./Composer.tsx";
import { Gauge } from "./composer/attachments/ContextNote.tsx";
import { chosenCard } from "./details/chosenCard.ts";
import { takeFindKey } from "./find/FindWidget.tsx";
import { HistoryPanel } from "./history/HistoryPanel.tsx";
import { Icon, IconButton } from "./icons.ts";
import { Notice, type Notices, useNotices } from "./notice/Notice.tsx";
import type { ChatPageDeps } from "./store/chatDeps.ts";
import { SpentLine } from "./turn/answer/CostLine.tsx";
import { ProblemNote } from "./turn/answer/Problem.tsx";
import { Conversation } from "./turn/Conversation.tsx";

export function ChatApp({ deps }: { readonly deps: ChatPageDeps }): JSX.Element {
  if (!deps.store.isReady.value) return <main class="loading" aria-busy="true" />;
  return <Chat deps={deps} />;
}

function Chat({ deps }: { readonly deps: ChatPageDeps }): JSX.Element {
  const { store, bridge } = deps;
  const notices = useNotices(deps);
  const problem = store.field("problem");
  const { answerId } = problem ?? {};
  return (
    <main>
      <ServiceLine deps={deps} notices={notices} />
      <Notice notices={notices} />
      {store.turnIds.value.length === 0 ? <Welcome deps={deps} /> : <Conversation deps={deps} />}
      {problem && (
        <ProblemNote
          explanation={problem.explanation}
          bridge={bridge}
          onRetry={() => bridge.post("retry", answerId === undefined ? {} : { answerId })}
        />
      )}
      <Composer deps={deps} />
      <Announcer deps={deps} />
      {deps.history.isShown.value && <HistoryPanel history={deps.history} />}
    </main>
  );
}

/** The active service, always visible: it receives the questions and bills them. Beside it is what the chat fills and costs. */
function ServiceLine(props: { readonly deps: ChatPageDeps; readonly notices: Notices }): JSX.Element | null {
  const { deps, notices } = props;
  const service = deps.store.field("service");
  if (!service) return null;
  const isSandbox = service.kind === "sandbox";
  const text = isSandbox ? "Sandbox: on this machine" : service.name;
  return (
    <p class="service" title={isSandbox ? text : `${service.name} answers`}>
      <Icon name={isSandbox ? "beaker" : "plug"} />
      <span class="ellipsis">{text}</span>
      <span class="gap" />
      {notices.hasLeft && (
        <IconButton name="info" label="Show the Last Notice Again" onClick={notices.showAgain} />
      )}
      <Gauge deps={deps} />
      <SpentLine deps={deps} />
    </p>
  );
}

/** Content of an empty conversation: the active service, and starters. */
function Welcome({ deps }: { readonly deps: ChatPageDeps }): JSX.Element {
  const { store, bridge } = deps;
  const service = store.field("service");
  const card = chosenCard(deps);
  const isProgram = service?.kind === "sandbox" && !card?.isLocal;
  // There is nothing to find, and the editor must not search in its text instead.
  useEffect(() => takeFindKey(() => {}), []);
  return (
    <div class="welcome">
      <h2>{isProgram ? "Ask the sandbox" : "Ask anything"}</h2>
      <p>{introduction(service, card)}</p>
      <ul class="suggestions">
        {store.field("starters").map((text) => (
          <li key={text}>
            <button type="button" onClick={() => bridge.post("start", { text })}>
              {text}
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}

function introduction(service: Service | null, card: ModelCard | undefined): string {
  if (!service) return "No service is connected.";
  if (card?.isLocal) return `${card.name} answers. It runs on this machine and costs nothing.`;
  if (service.kind !== "sandbox") return `${service.name} answers.`;
  return "It runs on this machine, counts in play money, and answers from the documentation of this extension.";
}

const endings: Readonly<Partial<Record<AnswerState | "none", string>>> = {
  done: "The answer is complete.",
  stopped: "The answer was stopped.",
  "cut-off": "The answer was cut off.",
};

/** A call that needs no decision asks for a moment, and so does an answer end before its calls are shown. */
const settleMs = 300;

/**
 * Announces to a screen reader that an answer starts, each of its sentences, and how it ended. An answer whose call waits
 * for a decision has not ended.
 */
function Announcer({ deps: { store, liveRegion } }: { readonly deps: ChatPageDeps }): JSX.Element {
  const region = useRef<HTMLDivElement>(null);
  const said = useRef<"busy" | "waiting" | "ended">("ended");
  const busy = store.field("busy");
  const waiting = store.waitingCall.value;
  useEffect(() => {
    if (region.current) liveRegion.attach(region.current);
  }, []);
  useEffect(() => {
    if (busy && said.current !== "busy") {
      said.current = "busy";
      liveRegion.end("Answering.");
    }
    const timer = setTimeout(() => {
      if (waiting) {
        said.current = "waiting";
        const what = waiting.asked ? "answer" : "decision";
        liveRegion.end(`Waiting for your ${what}: ${visibleLine(waiting.says)}`);
      } else if (!busy && said.current !== "ended") {
        said.current = "ended";
        liveRegion.end(endings[store.lastState()] ?? "No answer came.");
      }
    }, settleMs);
    return () => clearTimeout(timer);
  }, [busy, waiting?.id]);
  return <div ref={region} class="visually-hidden" aria-live="polite" />;
}
