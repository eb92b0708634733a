import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { type ChatState, isBusy } from "../../shared/chatState.ts";
import type { Bridge } from "./bridge.ts";
import type { ChatStore } from "./chatStore.ts";
import { IconButton } from "./icons.tsx";
import { ModelPicker } from "./ModelPicker.tsx";

export interface ComposerProps {
  readonly store: ChatStore;
  readonly bridge: Bridge;
  readonly state: ChatState;
}

/** Where a question is written. Its text is kept whatever happens to it. */
export function Composer({ store, bridge, state }: ComposerProps): JSX.Element {
  const box = useRef<HTMLTextAreaElement>(null);
  const busy = isBusy(state);
  const { text } = store.draft.value;
  useEffect(() => box.current?.focus(), [state.conversationId]);
  const onKeyDown = (event: KeyboardEvent) => {
    // While a word is composed by an input method, Enter belongs to that.
    if (event.isComposing || event.keyCode === 229) return;
    if (event.key === "Enter" && !event.shiftKey) {
      event.preventDefault();
      if (!busy) store.send();
    } else if (event.key === "Escape" && busy) {
      bridge.post("stop", {});
    }
  };
  return (
    <form
      class="composer"
      onSubmit={(event) => {
        event.preventDefault();
        store.send();
      }}
    >
      <textarea
        ref={box}
        value={text}
        rows={1}
        dir="auto"
        aria-label="Your question"
        placeholder={`Ask ${state.service?.name ?? "the service"} (Shift+Enter for a new line)`}
        onInput={(event) => store.type(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      <div class="composer-bar">
        <ModelPicker
          models={state.models}
          modelId={state.modelId}
          onPick={(modelId) => bridge.post("pickModel", { modelId })}
          onReload={() => bridge.post("reloadModels", {})}
        />
        {busy ? (
          <IconButton
            name="stop"
            label="Stop Answer (Escape)"
            className="send"
            onClick={() => bridge.post("stop", {})}
          />
        ) : (
          <IconButton
            name="send"
            label="Send (Enter)"
            className="send"
            disabled={text.trim() === ""}
            onClick={() => store.send()}
          />
        )}
      </div>
    </form>
  );
}
