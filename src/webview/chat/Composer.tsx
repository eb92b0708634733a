import { useSignalEffect } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { CostEstimate } from "./CostLine.tsx";
import type { ChatDeps } from "./chatDeps.ts";
import { IconButton } from "./icons.tsx";
import { ModelPicker } from "./ModelPicker.tsx";
import { SettingsPanel } from "./settings/SettingsPanel.tsx";

/** Where a question is written. Its text is kept whatever happens to it, and the list above takes no part in typing. */
export function Composer({ deps }: { readonly deps: ChatDeps }): JSX.Element {
  const { store, bridge, draftBox } = deps;
  const box = useRef<HTMLTextAreaElement>(null);
  const [typed, setTyped] = useState("");
  const [showsSettings, setShowsSettings] = useState(false);
  const settingsButton = useRef<HTMLDivElement>(null);
  const isEmpty = typed.trim() === "";
  const busy = store.field("busy");

  const show = (text: string) => {
    if (box.current) box.current.value = text;
    setTyped(text);
  };
  useLayoutEffect(() => show(draftBox.keptText), []);
  useSignalEffect(() => {
    const draft = store.field("draft");
    const text = draft && draftBox.told(draft, box.current?.value ?? "");
    if (text === undefined) return;
    show(text);
    // The host put something here to go on with: the cursor stands after it, unless another part of the editor is in use.
    if (text !== "" && document.hasFocus()) box.current?.focus();
    box.current?.setSelectionRange(text.length, text.length);
  });
  useEffect(() => box.current?.focus(), [store.conversationId.value]);
  useEffect(() => tellBeforeLeaving(draftBox.tell), []);
  useEffect(() => {
    // The view was brought to the front to be written in; what had the focus in it before keeps it.
    const onFocus = () => {
      if (document.activeElement === document.body) box.current?.focus();
    };
    window.addEventListener("focus", onFocus);
    return () => window.removeEventListener("focus", onFocus);
  }, []);
  const send = () => {
    if (!store.peek("busy") && box.current) draftBox.send(box.current.value);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    // While a word is composed by an input method, Enter belongs to that.
    if (event.isComposing || event.keyCode === 229) return;
    if (event.key === "Enter" && !event.shiftKey) {
      event.preventDefault();
      send();
    } else if (event.key === "Escape" && busy) {
      bridge.post("stop", {});
    }
  };
  const { service: switches, ...own } = store.field("settings");
  const settingsCount = Object.keys(own).length + Object.keys(switches ?? {}).length;
  const service = store.field("service")?.name ?? "the service";
  return (
    <form
      class="composer"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <textarea
        ref={box}
        rows={1}
        dir="auto"
        aria-label="Your question"
        placeholder={`Ask ${service} (Shift+Enter for a new line)`}
        onInput={({ currentTarget }) => {
          draftBox.typed(currentTarget.value);
          setTyped(currentTarget.value);
        }}
        onKeyDown={onKeyDown}
      />
      {showsSettings && (
        <SettingsPanel
          deps={deps}
          onClose={() => {
            setShowsSettings(false);
            settingsButton.current?.querySelector("button")?.focus();
          }}
        />
      )}
      <div class="composer-bar">
        <ModelPicker deps={deps} />
        <div class="settings-button" ref={settingsButton}>
          <IconButton
            name="settings"
            label={settingsLabel(settingsCount)}
            onClick={() => setShowsSettings(!showsSettings)}
          />
          {settingsCount > 0 && (
            <span class="count" aria-hidden="true">
              {settingsCount}
            </span>
          )}
        </div>
        <span class="gap" />
        <CostEstimate deps={deps} draft={typed} />
        {busy ? (
          <IconButton
            name="stop"
            label="Stop Answer (Escape)"
            className="send"
            onClick={() => bridge.post("stop", {})}
          />
        ) : (
          <IconButton name="send" label="Send (Enter)" className="send" disabled={isEmpty} onClick={send} />
        )}
      </div>
    </form>
  );
}

function settingsLabel(count: number): string {
  return count === 0 ? "Settings of This Chat" : `Settings of This Chat (${count} set)`;
}

/** The host hears of the last keystrokes before the page may be torn down. */
function tellBeforeLeaving(tell: () => void): () => void {
  window.addEventListener("blur", tell);
  window.addEventListener("pagehide", tell);
  document.addEventListener("visibilitychange", tell);
  return () => {
    window.removeEventListener("blur", tell);
    window.removeEventListener("pagehide", tell);
    document.removeEventListener("visibilitychange", tell);
  };
}
