import { useEffect, useState } from "preact/hooks";
import { useDialog } from "../../webview/ui/dialog.ts";
import { indexAfterKey } from "../../webview/ui/listbox.ts";
import type { AttemptView, BodyView, Fact, RequestDetail } from "../protocol/requestsProtocol.ts";
import type { RequestsModel } from "./requestsModel.ts";

const tabs = ["Overview", "Request", "Response", "Attempts"] as const;
type Tab = (typeof tabs)[number];

interface Props {
  readonly model: RequestsModel;
  readonly detail: RequestDetail;
}

/** The open request, in tabs. */
export function DetailPanel({ model }: Pick<Props, "model">) {
  const detail = model.detail.value;
  const hide = () => model.close();
  const dialog = useDialog<HTMLElement>({
    onClose: hide,
    focus: "[role=tab][aria-selected=true]",
    content: detail,
  });
  const [tab, setTab] = useState<Tab>("Overview");
  useEffect(() => setTab("Overview"), [detail?.id]);
  if (!detail) return null;
  return (
    <section ref={dialog.ref} class="panel detail" aria-label="Request" onKeyDown={dialog.handle}>
      <header>
        <h2>{detail.title}</h2>
        <button type="button" class="button" onClick={hide}>
          Close
        </button>
      </header>
      <Actions model={model} detail={detail} />
      <TabList chosen={tab} onPick={setTab} />
      <div id="panel" class="tab-panel" role="tabpanel" aria-labelledby={`tab-${tab}`}>
        <TabContent model={model} detail={detail} tab={tab} />
      </div>
    </section>
  );
}

function Actions({ model: { bridge }, detail: { id, replayProblem } }: Props) {
  return (
    <div class="controls">
      <button type="button" class="button" onClick={() => bridge.post("copyCurl", { id })}>
        Copy as curl
      </button>
      <button type="button" class="button" onClick={() => bridge.post("copyJson", { id })}>
        Copy as JSON
      </button>
      <button
        type="button"
        class="button"
        disabled={replayProblem !== ""}
        aria-describedby={replayProblem === "" ? undefined : "replay-problem"}
        onClick={() => bridge.post("replay", { id })}
      >
        Send Again…
      </button>
      {replayProblem !== "" && (
        <span id="replay-problem" class="quiet">
          {replayProblem}
        </span>
      )}
    </div>
  );
}

/** Arrow keys move between the tabs, as in the editor's own. */
function TabList({ chosen, onPick }: { readonly chosen: Tab; readonly onPick: (tab: Tab) => void }) {
  const onKeyDown = (event: KeyboardEvent) => {
    const moves = { count: tabs.length, columns: tabs.length, wraps: true };
    const isMove =
      event.key === "ArrowLeft" || event.key === "ArrowRight" || event.key === "Home" || event.key === "End";
    const index = isMove ? indexAfterKey(event.key, tabs.indexOf(chosen), moves) : undefined;
    const tab = index === undefined ? undefined : tabs[index];
    if (!tab) return;
    event.preventDefault();
    onPick(tab);
    document.getElementById(`tab-${tab}`)?.focus();
  };
  return (
    <div class="tabs" role="tablist" aria-label="Parts of the request" onKeyDown={onKeyDown}>
      {tabs.map((tab) => (
        <button
          key={tab}
          id={`tab-${tab}`}
          type="button"
          role="tab"
          aria-selected={tab === chosen}
          aria-controls="panel"
          tabIndex={tab === chosen ? 0 : -1}
          onClick={() => onPick(tab)}
        >
          {tab}
        </button>
      ))}
    </div>
  );
}

function TabContent({ model, detail, tab }: Props & { readonly tab: Tab }) {
  const last = detail.attempts.length - 1;
  const attempt = detail.attempts[last];
  if (tab === "Overview") return <Facts facts={detail.facts} />;
  if (!attempt) return <p class="quiet">Nothing was sent.</p>;
  if (tab === "Attempts")
    return (
      <ol class="attempts">
        {detail.attempts.map(({ title, facts }) => (
          <li key={title}>
            <h3>{title}</h3>
            <Facts facts={facts} />
          </li>
        ))}
      </ol>
    );
  const part = tab === "Request" ? "request" : "response";
  const open = () => model.bridge.post("openBody", { id: detail.id, attempt: last, part });
  return <Message attempt={attempt} part={part} onOpen={open} />;
}

interface MessageProps {
  readonly attempt: AttemptView;
  readonly part: "request" | "response";
  readonly onOpen: () => void;
}

/** Headers and body of the last attempt. */
function Message({ attempt, part, onOpen }: MessageProps) {
  const headers = part === "request" ? attempt.requestHeaders : attempt.responseHeaders;
  const body = attempt[part];
  return (
    <>
      <h3>Headers</h3>
      {headers.length === 0 ? <p class="quiet">None.</p> : <Facts facts={headers} />}
      <h3>Body</h3>
      {body ? <Body body={body} onOpen={onOpen} /> : <p class="quiet">None.</p>}
    </>
  );
}

function Body({
  body: { summary, text, note },
  onOpen,
}: {
  readonly body: BodyView;
  readonly onOpen: () => void;
}) {
  return (
    <>
      <p class="quiet">
        {summary} {note}
      </p>
      {text !== "" && (
        <>
          <button type="button" class="button" onClick={onOpen}>
            Open in Editor
          </button>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls has to be reachable by keys */}
          <pre tabIndex={0}>{text}</pre>
        </>
      )}
    </>
  );
}

function Facts({ facts }: { readonly facts: readonly Fact[] }) {
  return (
    <dl>
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
