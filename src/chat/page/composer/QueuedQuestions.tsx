import type { JSX } from "preact";
import type { QueuedQuestion } from "../../protocol/chatState.ts";
import { Icon, IconButton } from "../icons.ts";
import type { ChatPageDeps } from "../store/chatDeps.ts";

export interface QueuedQuestionsProps {
  readonly deps: ChatPageDeps;
  /** Moves the focus after a button was removed. */
  readonly toBox: () => void;
}

/** Questions that wait for the end of an answer: each can be edited, removed, or sent if no answer is running. */
export function QueuedQuestions({ deps, toBox }: QueuedQuestionsProps): JSX.Element {
  const { store, bridge } = deps;
  const queue = store.field("queue");
  const busy = store.field("busy");
  const isTask = (store.field("settings").mode ?? "ask") !== "ask";
  const act = ({ id }: QueuedQuestion, action: "send" | "edit" | "remove" | "switchRound") => {
    bridge.post("queued", { questionId: id, action });
    toBox();
  };
  return (
    <>
      <p class="queue-note" role="status">
        {noteOf(queue, isTask)}
      </p>
      {queue.length > 0 && (
        <ul class="queue" aria-label="Questions that wait">
          {queue.map((question) => (
            <li key={question.id}>
              {busy && isTask ? (
                <IconButton
                  name={question.joins ? "send" : "queue"}
                  label={question.joins ? "Send After This Task Instead" : "Send with the Next Round Instead"}
                  onClick={() => act(question, "switchRound")}
                />
              ) : (
                <Icon name="queue" />
              )}
              <bdi class="ellipsis" title={question.text}>
                {question.text}
              </bdi>
              <Along question={question} />
              {!busy && (
                <IconButton
                  name="send"
                  label="Send This Question Now"
                  onClick={() => act(question, "send")}
                />
              )}
              <IconButton name="edit" label="Edit in the Prompt" onClick={() => act(question, "edit")} />
              <IconButton name="close" label="Remove This Question" onClick={() => act(question, "remove")} />
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

function Along({ question: { attachments } }: { readonly question: QueuedQuestion }): JSX.Element | null {
  if (attachments.length === 0) return null;
  const names = attachments.map(({ name }) => name).join("\n");
  return (
    <span class="queue-along" title={names}>
      <Icon name="attach" />
      {attachments.length}
    </span>
  );
}

function noteOf(queue: readonly QueuedQuestion[], isTask: boolean): string {
  if (queue.length === 0) return "";
  if (queue.some(({ isHeld }) => isHeld)) return "Not sent: the previous answer did not complete.";
  const joining = queue.filter(({ joins }) => joins).length;
  const waiting = queue.length - joining;
  if (joining === 0 && !isTask)
    return waiting === 1 ? "Sent when the answer ends" : `${waiting} questions, sent one by one`;
  const parts = [
    ...(joining > 0 ? [`${countOf(joining, queue)}with the next round`] : []),
    ...(waiting > 0 ? [`${countOf(waiting, queue)}after this task`] : []),
  ];
  return `Sent ${parts.join(", ")}`;
}

/** The number of some of several. */
function countOf(count: number, { length }: readonly QueuedQuestion[]): string {
  return length === 1 ? "" : `${count} `;
}
