import type { JSX } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { UserMessage } from "../../shared/chatMessages.ts";
import type { ChatPageDeps } from "./chatDeps.ts";
import { AttachmentChip } from "./composer/AttachmentChip.tsx";
import { IconButton } from "./icons.ts";
import { Pager } from "./Pager.tsx";

export interface QuestionProps {
  readonly deps: ChatPageDeps;
  readonly message: UserMessage;
  /** Which of all turns it is, from 1. */
  readonly place: number;
}

const editLabel = "Edit Question";

/** What was asked, and a way to ask it in other words. */
export function Question({ deps, message, place }: QuestionProps): JSX.Element {
  const [isEdited, setEdited] = useState(false);
  const { bridge, store } = deps;
  const foot = useRef<HTMLElement>(null);
  const wasEdited = useRef(false);
  useLayoutEffect(() => {
    // Who gives up editing is where it began; who asks again goes on in the box, once the version is there.
    const button = foot.current?.querySelector<HTMLElement>(`[aria-label="${editLabel}"]`);
    if (wasEdited.current && !isEdited) button?.focus();
    wasEdited.current = isEdited;
  }, [isEdited]);
  if (isEdited) return <Edit deps={deps} message={message} onClose={() => setEdited(false)} />;
  return (
    <article
      class="turn question-turn"
      aria-label="Your question"
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
        <IconButton
          name="edit"
          label={editLabel}
          disabled={store.attribute("busy")}
          onClick={() => setEdited(true)}
        />
      </footer>
    </article>
  );
}

/** The old wording and its answers stay; the new one becomes a version next to it. */
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
