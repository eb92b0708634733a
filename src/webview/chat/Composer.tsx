import { useSignalEffect } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { dropped, pastedFiles } from "../ui/broughtFiles.ts";
import { CostEstimateLine } from "./CostLine.tsx";
import type { ChatPageDeps } from "./chatDeps.ts";
import { AttachmentBar } from "./composer/AttachmentBar.tsx";
import { attachFiles } from "./composer/attachFiles.ts";
import { CompletionList, useCompletion } from "./composer/Completion.tsx";
import { ContextNote, Gauge } from "./composer/ContextNote.tsx";
import { QueuedQuestions } from "./composer/QueuedQuestions.tsx";
import { useStopAndFocus } from "./composer/useStopAndFocus.ts";
import { IconButton } from "./icons.ts";
import { commandEnter, isCommandEnter } from "./keys.ts";
import { ModelPicker } from "./ModelPicker.tsx";
import { SettingsPanel } from "./settings/SettingsPanel.tsx";
import { ToolsPanel } from "./settings/ToolsPanel.tsx";

type PanelName = "settings" | "tools";

/** The prompt. Its text survives reloads, and typing does not render the conversation. */
export function Composer({ deps }: { readonly deps: ChatPageDeps }): JSX.Element {
  const { store, bridge, draftBox: draftSync, promptHistory } = deps;
  const box = useRef<HTMLTextAreaElement>(null);
  const [typed, setTyped] = useState("");
  const [panel, setPanel] = useState<PanelName | null>(null);
  const bar = useRef<HTMLDivElement>(null);
  const isEmpty = typed.trim() === "";
  const [notice, setNotice] = useState<string | null>(null);
  const [isDropTarget, setDropTarget] = useState(false);
  const busy = store.field("busy");
  const isComing = store.field("attachments").some(({ pending }) => pending !== undefined);
  const sendsWithEnter = store.field("viewSettings").sendWith === "enter";

  const show = (text: string) => {
    if (box.current) box.current.value = text;
    setTyped(text);
  };
  /** Sets the text as if the user had typed it. */
  const put = (text: string, cursor: number) => {
    show(text);
    draftSync.typed(text);
    box.current?.focus();
    box.current?.setSelectionRange(cursor, cursor);
  };
  const completion = useCompletion(deps, box, put);
  useLayoutEffect(() => show(draftSync.keptText), []);
  useSignalEffect(() => {
    const draft = store.field("draft");
    const text = draft && draftSync.reported(draft, box.current?.value ?? "");
    if (text === undefined) return;
    show(text);
    // The host has inserted a text to edit: the cursor goes to its end, unless the focus is elsewhere in VS Code.
    if (text !== "" && document.hasFocus()) box.current?.focus();
    box.current?.setSelectionRange(text.length, text.length);
  });
  useEffect(() => box.current?.focus(), [store.conversationId.value]);
  useStopAndFocus(deps, box);
  useEffect(() => reportBeforeLeaving(draftSync.report), []);
  useEffect(() => {
    // The view was focused to write in it; an element of the page that had the focus keeps it.
    const onFocus = () => {
      if (document.activeElement === document.body) box.current?.focus();
    };
    window.addEventListener("focus", onFocus);
    return () => window.removeEventListener("focus", onFocus);
  }, []);
  const send = () => {
    const text = box.current?.value ?? "";
    // While an answer is running, the host queues the question.
    if (isComing || !draftSync.send(text)) return;
    promptHistory.add(text);
    completion.close();
    // The pressed button may be disabled now, which would lose the focus.
    box.current?.focus();
  };
  const recall = (event: KeyboardEvent): boolean => {
    const direction = event.key === "ArrowUp" ? "older" : "newer";
    const text = promptHistory.step(direction, box.current?.value ?? "");
    if (text === undefined) return false;
    event.preventDefault();
    put(text, direction === "older" ? 0 : text.length);
    return true;
  };
  const onKeyDown = (event: KeyboardEvent) => {
    // During IME composition, Enter belongs to the input method.
    if (event.isComposing || event.keyCode === 229 || completion.handle(event)) return;
    const isPlain = !event.shiftKey && !event.altKey;
    const isCommand = event.ctrlKey || event.metaKey;
    // With an empty prompt, the key approves a tool call (ToolCalls.tsx).
    if (isCommandEnter(event) && (box.current?.value ?? "").trim() === "") return;
    if (event.key === "Enter" && isPlain && (isCommand || sendsWithEnter)) {
      event.preventDefault();
      send();
    } else if ((event.key === "ArrowUp" || event.key === "ArrowDown") && isPlain && !isCommand) {
      recall(event);
    }
  };
  const closePanel = () => {
    setPanel(null);
    bar.current?.querySelector<HTMLElement>(`.${panel}-button button`)?.focus();
  };
  const { service: switches, tools = [], ...own } = store.field("settings");
  const panelButton = (name: PanelName, label: string, count: number) => (
    <div class={`panel-button ${name}-button`}>
      <IconButton
        name={name}
        label={label}
        onClick={() => (panel === name ? closePanel() : setPanel(name))}
      />
      {count > 0 && (
        <span class="count" aria-hidden="true">
          {count}
        </span>
      )}
    </div>
  );
  const settingsCount = Object.keys(own).length + Object.keys(switches ?? {}).length;
  const hand = async (files: readonly File[]) => setNotice(await attachFiles(files, bridge));
  const service = store.field("service")?.name ?? "the service";
  const sendKey = sendsWithEnter ? "Enter" : commandEnter();
  return (
    <form
      class={isDropTarget ? "composer drop" : "composer"}
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
      onKeyDown={(event) => {
        if (event.key !== "Escape" || event.isComposing || event.defaultPrevented || panel === null) return;
        event.preventDefault();
        closePanel();
      }}
      onDragOver={(event) => {
        event.preventDefault();
        setDropTarget(true);
      }}
      onDragLeave={() => setDropTarget(false)}
      onDrop={(event) => {
        event.preventDefault();
        setDropTarget(false);
        if (!event.dataTransfer) return;
        const { uris, files } = dropped(event.dataTransfer);
        for (const uri of uris) bridge.post("attach", { request: { kind: "uri", uri } });
        void hand(files);
      }}
    >
      {completion.items.length > 0 && <CompletionList {...completion} />}
      <QueuedQuestions deps={deps} toBox={() => box.current?.focus()} />
      <AttachmentBar
        deps={deps}
        notice={notice}
        onDismiss={() => setNotice(null)}
        toBox={() => box.current?.focus()}
      />
      <ContextNote deps={deps} />
      <textarea
        ref={box}
        rows={1}
        dir="auto"
        aria-label="Your question"
        aria-keyshortcuts={sendsWithEnter ? "Enter" : "Control+Enter"}
        aria-autocomplete="list"
        aria-controls={completion.items.length > 0 ? completion.listbox.id : undefined}
        aria-activedescendant={completion.listbox.activeId}
        placeholder={`Ask ${service}; @ attaches, / commands`}
        onInput={({ currentTarget }) => {
          draftSync.typed(currentTarget.value);
          setTyped(currentTarget.value);
          completion.look();
        }}
        onSelect={completion.look}
        onBlur={completion.close}
        onPaste={(event) => {
          const files = pastedFiles(event);
          if (files.length === 0) return;
          event.preventDefault();
          void hand(files);
        }}
        onKeyDown={onKeyDown}
      />
      {panel === "settings" && <SettingsPanel deps={deps} onClose={closePanel} />}
      {panel === "tools" && <ToolsPanel deps={deps} onClose={closePanel} />}
      <div class="composer-bar" ref={bar}>
        <IconButton name="attach" label="Attach…" onClick={() => bridge.post("attachPick", {})} />
        <CurrentFileChip deps={deps} toBox={() => box.current?.focus()} />
        {panelButton("tools", labelOf("Tools of This Chat", tools.length, "on"), tools.length)}
        <ModelPicker deps={deps} />
        {panelButton("settings", labelOf("Settings of This Chat", settingsCount, "set"), settingsCount)}
        <span class="gap" />
        <Gauge deps={deps} />
        <CostEstimateLine deps={deps} draft={typed} />
        {busy && (
          <IconButton
            name="stop"
            label="Stop Answer (Escape)"
            className="send"
            onClick={() => bridge.post("stop", {})}
          />
        )}
        {!(busy && isEmpty) && (
          <IconButton
            name={busy ? "queue" : "send"}
            label={busy ? `Send After This Answer (${sendKey})` : `Send (${sendKey})`}
            className="send"
            disabled={isEmpty || isComing}
            onClick={send}
          />
        )}
      </div>
    </form>
  );
}

function labelOf(title: string, count: number, state: string): string {
  return count === 0 ? title : `${title} (${count} ${state})`;
}

/** Reports the last keystrokes before the page may be closed. */
function reportBeforeLeaving(report: () => void): () => void {
  window.addEventListener("blur", report);
  window.addEventListener("pagehide", report);
  document.addEventListener("visibilitychange", report);
  return () => {
    window.removeEventListener("blur", report);
    window.removeEventListener("pagehide", report);
    document.removeEventListener("visibilitychange", report);
  };
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
      + <bdi class="ellipsis">{name}</bdi>
    </button>
  );
}
