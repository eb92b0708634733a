import type { JSX } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { UserMessage } from "../../protocol/chatMessages.ts";
import { AttachmentChip } from "../composer/attachments/AttachmentChip.tsx";
import { IconButton } from "../icons.ts";
import { MenuButton } from "../SplitButton.tsx";
import type { ChatPageDeps } from "../store/chatDeps.ts";
import { Pager } from "./Pager.tsx";

export interface QuestionProps {
  readonly deps: ChatPageDeps;
  readonly message: UserMessage;
  /** Position among all turns, counted from 1. */
  readonly place: number;
}

const editLabel = "Edit Question";

/** A question, with a button to edit it. */
export function Question({ deps, message, place }: QuestionProps): JSX.Element {
  const [isEdited, setEdited] = useState(false);
  const { bridge, store } = deps;
  const isSteering = message.isSteering === true;
  const foot = useRef<HTMLElement>(null);
  const wasEdited = useRef(false);
  useLayoutEffect(() => {
    // After a cancel the focus returns to the button; after sending it moves to the prompt once the version exists.
    const button = foot.current?.querySelector<HTMLElement>(`[aria-label="${editLabel}"]`);
    if (wasEdited.current && !isEdited) button?.focus();
    wasEdited.current = isEdited;
  }, [isEdited]);
  if (isEdited) return <Edit deps={deps} message={message} onClose={() => setEdited(false)} />;
  return (
    <article
      class="turn question-turn"
      aria-label={isSteering ? "Your message to the task" : "Your question"}
      aria-posinset={place}
      aria-setsize={store.pathLength}
    >
      {message.attachments && (
        <ul class="attachments" aria-label="Attachments">
          {message.attachments.map((attachment) => (
            <li key={attachment.id}>
              <AttachmentChip deps={deps} attachment={attachment} />
            </li>
          ))}
        </ul>
      )}
      <div class="question" dir="auto">
        {message.text}
      </div>
      <footer class="on-hover" ref={foot}>
        <Pager deps={deps} id={message.id} />
        <IconButton
          name="copy"
          label="Copy Question"
          onClick={() => bridge.post("copyText", { text: message.text })}
        />
        {/* Another wording would be a question without the task. */}
        {!isSteering && (
          <>
            <Rewind deps={deps} questionId={message.id} />
            <IconButton
              name="edit"
              label={editLabel}
              disabled={store.attribute("busy")}
              onClick={() => setEdited(true)}
            />
          </>
        )}
      </footer>
    </article>
  );
}

/** Brings files, the chat or both back to before this question; shown in a chat whose model changes files. */
function Rewind({
  deps,
  questionId,
}: {
  readonly deps: ChatPageDeps;
  readonly questionId: string;
}): JSX.Element | null {
  const { store, bridge } = deps;
  const mode = store.field("settings").mode ?? "ask";
  const busy = store.field("busy");
  if (mode === "ask" || busy) return null;
  const rewind = (scope: "files" | "chat" | "both") => bridge.post("rewind", { questionId, scope });
  return (
    <MenuButton
      name="undo"
      label="Rewind to Before This Question"
      choices={[
        { label: "Rewind Files and Chat", onPick: () => rewind("both") },
        { label: "Rewind Files", detail: "The conversation stays", onPick: () => rewind("files") },
        { label: "Rewind Chat", detail: "The files stay", onPick: () => rewind("chat") },
      ]}
    />
  );
}

/** Editing creates a new version; the old question and its answers stay. */
function Edit({
  deps,
  message,
  onClose,
}: Omit<QuestionProps, "place"> & { readonly onClose: () => void }): JSX.Element {
  const box = useRef<HTMLTextAreaElement>(null);
  const busy = deps.store.field("busy");
  useLayoutEffect(() => {
    box.current?.focus();
    box.current?.setSelectionRange(message.text.length, message.text.length);
  }, []);
  const send = () => {
    const text = box.current?.value ?? "";
    if (busy || text.trim() === "") return;
    deps.bridge.post("edit", { questionId: message.id, text });
    onClose();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.isComposing || event.keyCode === 229) return;
    if (event.key === "Escape") {
      event.preventDefault();
      onClose();
    }
    if (event.key === "Enter" && !event.shiftKey) {
      event.preventDefault();
      send();
    }
  };
  return (
    <form
      class="turn edit"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <textarea ref={box} dir="auto" aria-label="Your question, in other words" onKeyDown={onKeyDown}>
        {message.text}
      </textarea>
      <div class="buttons">
        <button type="submit" class="button primary" disabled={busy}>
          Ask Again
        </button>
        <button type="button" class="button" onClick={onClose}>
          Cancel
        </button>
      </div>
    </form>
  );
}
