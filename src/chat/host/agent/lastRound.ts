import type { Answers } from "../answer/answers.ts";
import type { LiveChat } from "../conversation/liveChat.ts";
import type { ChatHooks } from "../tools/hooks/chatHooks.ts";
import type { ToolSource } from "../tools/toolList.ts";
import { limitAfter, taskOf } from "./task.ts";

interface LastRoundDeps {
  readonly tools: Pick<ToolSource, "problems">;
  readonly hooks?: Pick<ChatHooks, "taskEnded"> | undefined;
  readonly sendNote: Answers["sendNote"];
  /** A task has ended for good, with this answer, and no question waits for that. */
  readonly onEnded?: (answer: string) => void;
  readonly report: (error: unknown) => void;
}

/**
 * A task that ends while the editor finds errors that its edits have made, of which the model does not know, has another
 * round, once. Then hooks may let it go on. Returns what is called with the last answer of a task.
 */
export function createLastRound(
  chat: LiveChat,
  { tools: { problems }, hooks, sendNote, onEnded, report }: LastRoundDeps,
): (answerId: string) => void {
  /** The tasks that have had it. */
  const given = new Set<string>();
  const isLast = (answerId: string) =>
    chat.path().at(-1)?.id === answerId &&
    !chat.state.busy &&
    // A question that waits takes what is new along.
    chat.state.queue.every(({ isHeld }) => isHeld);
  /** A note about new errors for the model; undefined without any. */
  const newsFor = async (mayGoOn: () => boolean): Promise<string | undefined> => {
    const { conversationId, settings } = chat.state;
    const task = taskOf(chat.path(), settings)?.id;
    if (!problems || task === undefined || given.has(task)) return undefined;
    if (!(await problems.haveErrors(conversationId)) || !mayGoOn()) return undefined;
    const notes = chat
      .path()
      .flatMap((message) => (message.role === "assistant" ? [message.editorNote ?? ""] : []));
    const note = await problems.take(conversationId, notes);
    if (note === "") return undefined;
    given.add(task);
    return note;
  };
  const goOn = async (answerId: string) => {
    const mayGoOn = () => isLast(answerId) && limitAfter(chat, answerId) === undefined;
    const note = (await newsFor(mayGoOn)) ?? (await hooks?.taskEnded(answerId));
    if (note !== undefined && mayGoOn()) await sendNote(answerId, note, mayGoOn);
  };
  return async (answerId) => {
    await goOn(answerId).catch(report);
    if (isLast(answerId)) onEnded?.(chat.tree.get(answerId)?.text ?? "");
  };
}
