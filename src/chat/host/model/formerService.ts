import * as z from "zod";
import { apiRoot } from "../../../api/call/client.ts";
import type { Connection } from "../../../session/connection/connection.ts";
import type { Session } from "../../../session/session.ts";
import { isUnderWay } from "../../protocol/chatMessages.ts";
import type { LiveChat } from "../conversation/liveChat.ts";
import type { ConversationStore } from "../history/conversationStore.ts";

/** Key in the log's metadata for the service that the conversation last used. */
const serviceMeta = "service";
const Former = z.object({ id: z.string(), name: z.string(), baseUrl: z.string().optional() });

export interface FormerServiceDeps {
  readonly chat: LiveChat;
  readonly session: Pick<Session, "active" | "onDidChangeActive">;
  readonly store: Pick<ConversationStore, "conversation" | "append">;
  readonly newChat: () => Promise<void>;
  /** Asks the user; resolves to the button's text, or undefined. */
  readonly choose: (
    question: string,
    detail: string,
    ...buttons: string[]
  ) => PromiseLike<string | undefined>;
}

/** Asks before a chat's history is sent to another service, and clears errors of the former one. */
export interface FormerService {
  /**
   * True if the messages up to `lastId` may be sent to the active service. With `isNewQuestion`, the user may choose a
   * new chat, which is open when this resolves to true.
   */
  mayReceive(lastId: string | null, isNewQuestion: boolean): Promise<boolean>;
  dispose(): void;
}

const [newChatButton, sendAllButton] = ["New Chat", "Send All"];

export function createFormerService(deps: FormerServiceDeps): FormerService {
  const { chat, session, store, newChat, choose } = deps;
  let shown = session.active;
  const changed = session.onDidChangeActive((active) => {
    const former = shown;
    shown = active;
    if (former && former.id !== active?.id) forgetErrors(chat, former);
  });
  const maySend = async (lastId: string | null, active: Connection, isNewQuestion: boolean) => {
    const former = Former.safeParse(store.conversation?.meta[serviceMeta]).data;
    const count = lastId === null ? 0 : chat.tree.pathTo(lastId).length;
    if (!former || count === 0 || isSameService(former, active)) return true;
    const { conversationId } = chat.state;
    const messages = count === 1 ? "One message was" : `${count} messages were`;
    const written = `${messages} written with ${former.name} and would be sent, too.`;
    const question = `Send this chat to ${active.name}?`;
    const answer = isNewQuestion
      ? await choose(question, `${written} A new chat sends only the question.`, newChatButton, sendAllButton)
      : await choose(question, written, sendAllButton);
    // The user may have opened another conversation meanwhile.
    if (chat.state.conversationId !== conversationId) return false;
    if (answer !== newChatButton) return answer === sendAllButton;
    await newChat();
    return true;
  };
  return {
    async mayReceive(lastId, isNewQuestion) {
      const { active } = session;
      // Without a service, the request itself fails with an explanation.
      if (!active) return true;
      if (!(await maySend(lastId, active, isNewQuestion)) || session.active?.id !== active.id) return false;
      const { id, name, baseUrl } = active;
      const stored = Former.safeParse(store.conversation?.meta[serviceMeta]).data;
      if (stored?.id !== id) store.append([{ e: "meta", meta: { [serviceMeta]: { id, name, baseUrl } } }]);
      return true;
    },
    dispose: () => changed.dispose(),
  };
}

/** True also if only the key differs. */
function isSameService({ id, baseUrl }: z.infer<typeof Former>, active: Connection): boolean {
  return id === active.id || (baseUrl !== undefined && apiRoot(baseUrl) === apiRoot(active.baseUrl));
}

/** The actions of former errors would apply to the service that is active now. */
function forgetErrors(chat: LiveChat, { name }: Connection): void {
  if (chat.state.problem) chat.set({ problem: null });
  for (const message of [...chat.tree.nodes]) {
    if (message.role !== "assistant" || !message.problem || isUnderWay(message)) continue;
    // An answer with text shows by its state that it was cut off.
    const left = {
      sentence: `${name} did not answer.`,
      actions: [{ id: "retry", label: "Retry" } as const],
    };
    const problem = message.state === "failed" ? left : null;
    chat.change({ op: "patch", id: message.id, patch: { problem } });
  }
}
