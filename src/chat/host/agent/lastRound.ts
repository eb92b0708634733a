import type { Answers } from "../answer/answers.ts";
import type { LiveChat } from "../conversation/liveChat.ts";
import type { ToolSource } from "../tools/toolList.ts";
import { limitAfter, taskOf } from "./task.ts";

interface LastRoundDeps {
  readonly tools: Pick<ToolSource, "problems">;
  readonly sendNote: Answers["sendNote"];
  /** A task has ended for good, with this answer, and no question waits for that. */
  readonly onEnded?: (answer: string) => void;
  readonly report: (error: unknown) => void;
}

/**
 * A task that ends while the editor finds errors that its edits have made, of which the model does not know, has another
 * round, once. Returns what is called with the last answer of a task.
 */
export function createLastRound(
  chat: LiveChat,
  { tools: { problems }, sendNote, onEnded, report }: LastRoundDeps,
): (answerId: string) => void {
  /** The tasks that have had it. */
  const given = new Set<string>();
  const isLast = (answerId: string) =>
    chat.path().at(-1)?.id === answerId &&
    !chat.state.busy &&
    // A question that waits takes what is new along.
    chat.state.queue.every(({ isHeld }) => isHeld);
  const goOn = async (answerId: string) => {
    const { conversationId } = chat.state;
    const mayGoOn = () => isLast(answerId) && limitAfter(chat, answerId) === undefined;
    const task = taskOf(chat.path(), chat.state.settings)?.id;
    if (!problems || task === undefined || given.has(task)) return;
    if (!(await problems.haveErrors(conversationId)) || !mayGoOn()) return;
    const notes = chat
      .path()
      .flatMap((message) => (message.role === "assistant" ? [message.editorNote ?? ""] : []));
    const note = await problems.take(conversationId, notes);
    if (note === "") return;
    given.add(task);
    await sendNote(answerId, note, mayGoOn);
  };
  return async (answerId) => {
    await goOn(answerId).catch(report);
    if (isLast(answerId)) onEnded?.(chat.tree.get(answerId)?.text ?? "");
  };
}
