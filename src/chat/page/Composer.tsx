import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { formatBytes, maxHandedBytes } from "../../shared/chat/chatAttachments.ts";
import { dropped, pastedFiles } from "../../webview/ui/transferredFiles.ts";
import { AgentLine } from "./composer/AgentLine.tsx";
import { Approvals } from "./composer/approval/Approval.tsx";
import { AttachmentBar } from "./composer/attachments/AttachmentBar.tsx";
import { ContextNote } from "./composer/attachments/ContextNote.tsx";
import { ModePicker } from "./composer/ModePicker.tsx";
import type { PanelName } from "./composer/panels.ts";
import { CompletionList, type PromptCompletion, useCompletion } from "./composer/prompt/Completion.tsx";
import { type Prompt, usePrompt } from "./composer/prompt/prompt.ts";
import { TaskLine } from "./composer/task/TaskLine.tsx";
import { TaskPanel } from "./composer/task/TaskPanels.tsx";
import { IconButton } from "./icons.ts";
import { altEnter, commandEnter, isCommandEnter } from "./keys.ts";
import { ModelPicker } from "./model/ModelPicker.tsx";
import { isPlanUnsaved } from "./plan/Plan.tsx";
import { SettingsPanel } from "./settings/SettingsPanel.tsx";
import { ToolsPanel } from "./settings/ToolsPanel.tsx";
import type { ChatBridge } from "./store/bridge.ts";
import type { ChatPageDeps } from "./store/chatDeps.ts";
import { CostEstimateLine } from "./turn/answer/CostLine.tsx";
import { MiddleCut } from "./turn/answer/MiddleCut.tsx";

interface ComposerProps {
  readonly deps: ChatPageDeps;
}

/** The prompt, its attachments and its buttons. Typing does not render the conversation. */
export function Composer({ deps }: ComposerProps): JSX.Element {
  const { bridge } = deps;
  const prompt = usePrompt(deps);
  const completion = useCompletion(deps, prompt.box, prompt.put);
  const [panel, setPanel] = useState<PanelName | null>(null);
  const [notice, setNotice] = useState<string | null>(null);
  const form = useRef<HTMLFormElement>(null);
  const attach = async (files: readonly File[]) => setNotice(await attachFiles(files, bridge));
  const drop = useDrop((transfer) => {
    const { uris, files } = dropped(transfer);
    for (const uri of uris) bridge.post("attach", { request: { kind: "uri", uri } });
    void attach(files);
  });
  const send = (after = false) => {
    // While an answer is running, the host queues the question.
    if (isScaling(deps) || !prompt.send(after)) return;
    completion.close();
    setPanel(null);
  };
  const closePanel = () => {
    setPanel(null);
    // The button is gone if its panel is empty now, as after the last file was accepted.
    const opener = form.current?.querySelector<HTMLElement>(`.${panel}-button button, .${panel}-part`);
    if (opener?.checkVisibility()) opener.focus();
    else if (panel !== "tools") prompt.focus();
    else form.current?.querySelector<HTMLElement>(".settings-button button")?.focus();
  };
  const press = (name: PanelName) => (panel === name ? closePanel() : setPanel(name));
  const conversationId = deps.store.conversationId.value;
  // It has a context of its own, which is not known here.
  const isOfAgent = deps.store.field("settings").agent !== undefined;
  useEffect(() => setPanel(isPlanUnsaved(deps) ? "plan" : null), [conversationId]);
  return (
    <form
      ref={form}
      class={drop.isTarget ? "composer drop" : "composer"}
      {...drop.handlers}
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
      onKeyDown={(event) => {
        // The panel is closed from the prompt, too.
        if (event.key !== "Escape" || event.isComposing || event.defaultPrevented || panel === null) return;
        event.preventDefault();
        closePanel();
      }}
    >
      <Approvals deps={deps} />
      <TaskLine deps={deps} open={panel} onPress={press} />
      <TaskPanel deps={deps} name={panel} onClose={closePanel} />
      <AgentLine deps={deps} />
      <div class="prompt-box">
        {completion.items.length > 0 && <CompletionList {...completion} />}
        <AttachmentBar deps={deps} notice={notice} onDismiss={() => setNotice(null)} toBox={prompt.focus} />
        <WhenSent deps={deps} isEmpty={prompt.text.trim() === ""} />
        {!isOfAgent && <ContextNote deps={deps} />}
        <div class="prompt-text">
          <PromptBox deps={deps} {...{ prompt, completion, send, attach }} />
          {prompt.text === "" && <CurrentFileChip deps={deps} toBox={prompt.focus} />}
        </div>
        {panel === "settings" && (
          <SettingsPanel deps={deps} onTools={() => setPanel("tools")} onClose={closePanel} />
        )}
        {panel === "tools" && <ToolsPanel deps={deps} onClose={closePanel} />}
        <PromptBar deps={deps} prompt={prompt} onPress={press} onSend={() => send()} />
      </div>
    </form>
  );
}

/** True while an image of the question is being scaled or stored. */
function isScaling({ store }: ChatPageDeps): boolean {
  return store.field("attachments").some(({ pending }) => pending !== undefined);
}

function sendsWithEnter({ store }: ChatPageDeps): boolean {
  return store.field("viewSettings").sendWith === "enter";
}

/** Sends files to the host, which stores them; returns an error sentence if one is too large. */
async function attachFiles(files: readonly File[], bridge: ChatBridge): Promise<string | null> {
  let refused: string | null = null;
  for (const file of files) {
    const name = (file.name || "Pasted").slice(-300);
    if (file.size > maxHandedBytes) {
      refused = `${name} is too large to attach: ${formatBytes(file.size)}.`;
      continue;
    }
    if (file.size > 0) bridge.post("attachFile", { name, bytes: new Uint8Array(await file.arrayBuffer()) });
  }
  return refused;
}

/** Handlers of an element that takes dropped data. */
function useDrop(onDrop: (transfer: DataTransfer) => void) {
  const [isTarget, setTarget] = useState(false);
  const handlers = {
    onDragOver(event: DragEvent) {
      event.preventDefault();
      setTarget(true);
    },
    onDragLeave: () => setTarget(false),
    onDrop(event: DragEvent) {
      event.preventDefault();
      setTarget(false);
      if (event.dataTransfer) onDrop(event.dataTransfer);
    },
  };
  return { isTarget, handlers };
}

interface PromptBoxProps extends ComposerProps {
  readonly prompt: Prompt;
  readonly completion: PromptCompletion;
  /** `after`: once the task that runs has ended. */
  readonly send: (after?: boolean) => void;
  readonly attach: (files: readonly File[]) => Promise<void>;
}

function PromptBox({ deps, prompt, completion, send, attach }: PromptBoxProps): JSX.Element {
  const withEnter = sendsWithEnter(deps);
  const service = deps.store.field("service")?.name ?? "the service";
  const { agent } = deps.store.field("settings");
  const onKeyDown = (event: KeyboardEvent) => {
    // During IME composition, Enter belongs to the input method.
    if (event.isComposing || event.keyCode === 229 || completion.handle(event)) return;
    // With an empty prompt, the key approves a tool call (Approval.tsx).
    if (isCommandEnter(event) && (prompt.box.current?.value ?? "").trim() === "") return;
    if (isSendKey(event, withEnter)) {
      event.preventDefault();
      send();
    } else if (isAfterKey(event) && isTaskRunning(deps)) {
      event.preventDefault();
      send(true);
    } else if (isRecallKey(event) && !takeBack(deps, prompt, event)) prompt.recall(event);
  };
  const hint = `Ask ${agent ?? service}; @ attaches, / commands`;
  const field = (
    <textarea
      ref={prompt.box}
      rows={1}
      dir="auto"
      aria-label="Your question"
      aria-keyshortcuts={withEnter ? "Enter" : "Control+Enter"}
      aria-autocomplete="list"
      aria-controls={completion.items.length > 0 ? completion.listbox.id : undefined}
      aria-activedescendant={completion.listbox.activeId}
      aria-placeholder={hint}
      onInput={() => {
        prompt.onInput();
        completion.look();
      }}
      onSelect={completion.look}
      onBlur={completion.close}
      onPaste={(event) => {
        const files = pastedFiles(event);
        if (files.length === 0) return;
        event.preventDefault();
        void attach(files);
      }}
      onKeyDown={onKeyDown}
    />
  );
  return (
    <div class="prompt-field">
      {field}
      {prompt.text === "" && (
        <span class="prompt-hint ellipsis" aria-hidden="true">
          {hint}
        </span>
      )}
    </div>
  );
}

interface PromptBarProps extends ComposerProps {
  readonly prompt: Prompt;
  readonly onPress: (name: PanelName) => void;
  readonly onSend: () => void;
}

/** The row below the text. */
function PromptBar({ deps, prompt, onPress, onSend }: PromptBarProps): JSX.Element {
  return (
    <div class="composer-bar">
      <IconButton name="attach" label="Attach…" onClick={() => deps.bridge.post("attachPick", {})} />
      <ModePicker deps={deps} />
      <ModelPicker deps={deps} />
      <PanelButtons deps={deps} onPress={onPress} />
      {prompt.text !== "" && <CurrentFileChip deps={deps} toBox={prompt.focus} />}
      <span class="gap" />
      {deps.store.field("settings").agent === undefined && (
        <CostEstimateLine deps={deps} draft={prompt.text} />
      )}
      <span class="send-group">
        <SendButtons deps={deps} isEmpty={prompt.text.trim() === ""} onSend={onSend} />
      </span>
    </div>
  );
}

function isSendKey(event: KeyboardEvent, withEnter: boolean): boolean {
  const isPlain = !event.shiftKey && !event.altKey;
  return event.key === "Enter" && isPlain && (event.ctrlKey || event.metaKey || withEnter);
}

/** With an empty prompt, the arrow takes back the last message that was not sent yet. */
function takeBack({ store, bridge }: ChatPageDeps, { box }: Prompt, event: KeyboardEvent): boolean {
  const last = store.peek("queue")?.at(-1);
  if (last === undefined || event.key !== "ArrowUp" || box.current?.value !== "") return false;
  event.preventDefault();
  bridge.post("queued", { questionId: last.id, action: "edit" });
  return true;
}

/** Alt+Enter sends after the task. */
function isAfterKey({ key, altKey, shiftKey, ctrlKey, metaKey }: KeyboardEvent): boolean {
  return key === "Enter" && altKey && !shiftKey && !ctrlKey && !metaKey;
}

function isTaskRunning({ store }: ChatPageDeps): boolean {
  return store.field("busy") && (store.field("settings").mode ?? "ask") !== "ask";
}

/** When the message that is being written would be sent, while a task runs. */
function WhenSent({ deps, isEmpty }: { readonly deps: ChatPageDeps; readonly isEmpty: boolean }) {
  if (isEmpty || !isTaskRunning(deps)) return null;
  const sendKey = sendsWithEnter(deps) ? "Enter" : commandEnter();
  return (
    <p class="queue-note when-sent">
      {sendKey}: with the next round · {altEnter()}: after this task
    </p>
  );
}

/** An arrow key brings back an earlier question. */
function isRecallKey(event: KeyboardEvent): boolean {
  const hasModifier = event.shiftKey || event.altKey || event.ctrlKey || event.metaKey;
  return (event.key === "ArrowUp" || event.key === "ArrowDown") && !hasModifier;
}

interface PanelButtonsProps extends ComposerProps {
  readonly onPress: (name: PanelName) => void;
}

/**
 * The buttons of the panels, with the number of chosen tools and changed settings. A narrow view has the tools in the
 * settings.
 */
function PanelButtons({ deps, onPress }: PanelButtonsProps): JSX.Element {
  const {
    service: switches,
    tools = [],
    mode: _,
    customMode: __,
    agent: ___,
    task: ____,
    ...own
  } = deps.store.field("settings");
  const settingsCount = Object.keys(own).length + Object.keys(switches ?? {}).length;
  const button = (name: "tools" | "settings", title: string, count: number, state: string, also = 0) => (
    <div class={`panel-button ${name}-button`}>
      <IconButton
        name={name}
        label={count === 0 ? title : `${title} (${count} ${state})`}
        onClick={() => onPress(name)}
      />
      {count > 0 && (
        <span class="count" aria-hidden="true">
          {count}
        </span>
      )}
      {also > 0 && (
        <span class="count also" aria-hidden="true">
          {count + also}
        </span>
      )}
    </div>
  );
  return (
    <>
      {button("tools", "Tools of This Chat", tools.length, "on")}
      {button("settings", "Settings of This Chat", settingsCount, "set", tools.length)}
    </>
  );
}

/** Milliseconds from the end of a round to the next one, during which *Stop* must not flicker. */
const betweenRoundsMs = 400;

/** True while it is, and for a moment after. */
function useLingering(isNow: boolean): boolean {
  const [was, setWas] = useState(isNow);
  useEffect(() => {
    if (isNow) setWas(true);
    const timer = isNow ? undefined : setTimeout(() => setWas(false), betweenRoundsMs);
    return () => clearTimeout(timer);
  }, [isNow]);
  return isNow || was;
}

interface SendButtonsProps extends ComposerProps {
  readonly isEmpty: boolean;
  readonly onSend: () => void;
}

function SendButtons({ deps, isEmpty, onSend }: SendButtonsProps): JSX.Element {
  const busy = useLingering(deps.store.field("busy"));
  const sendKey = sendsWithEnter(deps) ? "Enter" : commandEnter();
  const isTask = (deps.store.field("settings").mode ?? "ask") !== "ask";
  const busyLabel = isTask ? "Send with the Next Round" : "Send After This Answer";
  const sendLabel = busy ? busyLabel : "Send";
  return (
    <>
      {busy && (
        <IconButton
          name="stop"
          label="Stop Answer (Escape)"
          className="send"
          onClick={() => deps.bridge.post("stop", {})}
        />
      )}
      {!(busy && isEmpty) && (
        <IconButton
          name={busy ? "queue" : "send"}
          label={`${sendLabel} (${sendKey})`}
          className="send"
          disabled={isEmpty || isScaling(deps)}
          onClick={onSend}
        />
      )}
    </>
  );
}

interface CurrentFileChipProps {
  readonly deps: ChatPageDeps;
  /** The chip disappears when it is pressed, so the focus has to move. */
  readonly toBox: () => void;
}

/** Suggests the file of the active editor as an attachment. */
function CurrentFileChip({ deps, toBox }: CurrentFileChipProps): JSX.Element | null {
  const { store, bridge } = deps;
  const file = store.field("currentFile");
  const isAttached = store
    .field("attachments")
    .some(({ uri, kind }) => uri === file?.uri && kind !== "selection");
  if (file === null || isAttached) return null;
  const name = file.name.slice(Math.max(file.name.lastIndexOf("/"), file.name.lastIndexOf("\\")) + 1);
  return (
    <button
      type="button"
      class="current-file"
      title={`Attach ${file.name}`}
      aria-label={`Attach the current file, ${file.name}`}
      onClick={() => {
        bridge.post("attach", { request: { kind: "uri", uri: file.uri } });
        toBox();
      }}
    >
      + <MiddleCut text={name} tail={6} />
    </button>
  );
}
