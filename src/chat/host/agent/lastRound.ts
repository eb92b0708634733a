import type { Answers } from "../answer/answers.ts";
import type { LiveChat } from "../conversation/liveChat.ts";
import type { ToolSource } from "../tools/toolList.ts";
import { limitAfter, taskOf } from "./task.ts";

interface LastRoundDeps {
  readonly tools: Pick<ToolSource, "problems">;
  readonly report: (error: unknown) => void;
}

/**
 * A task that ends while the editor finds errors that its edits have made, of which the model does not know, has another
 * round, once. Returns what is called with the last answer of a task.
 */
export function createLastRound(
  chat: LiveChat,
  { tools: { problems }, report }: LastRoundDeps,
  sendNote: Answers["sendNote"],
): (answerId: string) => void {
  /** The tasks that have had it. */
  const given = new Set<string>();
  const goOn = async (answerId: string) => {
    const { conversationId } = chat.state;
    const isLast = () =>
      chat.state.conversationId === conversationId &&
      chat.path().at(-1)?.id === answerId &&
      !chat.state.busy &&
      // A question that waits takes what is new along.
      chat.state.queue.every(({ isHeld }) => isHeld) &&
      limitAfter(chat, answerId) === undefined;
    const task = taskOf(chat.path(), chat.state.settings)?.id;
    if (!problems || task === undefined || given.has(task)) return;
    if (!(await problems.haveErrors(conversationId)) || !isLast()) return;
    const notes = chat
      .path()
      .flatMap((message) => (message.role === "assistant" ? [message.editorNote ?? ""] : []));
    const note = await problems.take(conversationId, notes);
    if (note === "") return;
    given.add(task);
    await sendNote(answerId, note, isLast);
  };
  return (answerId) => void goOn(answerId).catch(report);
}
