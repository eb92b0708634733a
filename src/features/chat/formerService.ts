import * as z from "zod";
import { apiRoot } from "../../api/client.ts";
import type { Connection } from "../../session/connection.ts";
import type { Session } from "../../session/session.ts";
import { isUnderWay } from "../../shared/chatMessages.ts";
import type { ConversationStore } from "./history/conversationStore.ts";
import type { LiveChat } from "./liveChat.ts";

/** Which service a conversation was asked of last, among what the log says of the whole of it. */
const serviceMeta = "service";
const Former = z.object({ id: z.string(), name: z.string(), baseUrl: z.string().optional() });

export interface FormerServiceDeps {
  readonly chat: LiveChat;
  readonly session: Pick<Session, "active" | "onDidChangeActive">;
  readonly store: Pick<ConversationStore, "conversation" | "append">;
  readonly newChat: () => Promise<void>;
  /** Asks the person; resolves to the button's text, or undefined. */
  readonly choose: (
    question: string,
    detail: string,
    ...buttons: string[]
  ) => PromiseLike<string | undefined>;
}

/** Asks before a chat's history goes to another service, and drops errors of the former one. */
export interface FormerService {
  /**
   * Whether the messages up to `lastId` may go to the active service. `isNewQuestion`: a new chat can take the question,
   * and is open when this resolves to true.
   */
  mayReceive(lastId: string | null, isNewQuestion: boolean): Promise<boolean>;
  dispose(): void;
}

const [freshChat, sendAll] = ["New Chat", "Send All"];

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
    if (!former || former.id === active.id || count === 0) return true;
    // Another key of the same service.
    if (former.baseUrl !== undefined && apiRoot(former.baseUrl) === apiRoot(active.baseUrl)) return true;
    const messages = count === 1 ? "One message of it was" : `${count} messages of it were`;
    const other = isNewQuestion ? " A new chat sends the question alone." : "";
    const answer = await choose(
      `Send this chat to ${active.name}?`,
      `${messages} written with ${former.name} and would go along.${other}`,
      ...(isNewQuestion ? [freshChat] : []),
      sendAll,
    );
    if (answer === freshChat) await newChat();
    return answer === freshChat || answer === sendAll;
  };
  return {
    async mayReceive(lastId, isNewQuestion) {
      const { active } = session;
      // Without a service the request itself says so.
      if (!active) return true;
      if (!(await maySend(lastId, active, isNewQuestion)) || session.active?.id !== active.id) return false;
      const { id, name, baseUrl } = active;
      const known = Former.safeParse(store.conversation?.meta[serviceMeta]).data;
      if (known?.id !== id) store.append([{ e: "meta", meta: { [serviceMeta]: { id, name, baseUrl } } }]);
      return true;
    },
    dispose: () => changed.dispose(),
  };
}

/** The buttons and next steps of its errors would be about another service now. */
function forgetErrors(chat: LiveChat, { name }: Connection): void {
  if (chat.state.problem) chat.set({ problem: null });
  for (const message of [...chat.tree.nodes]) {
    if (message.role !== "assistant" || !message.problem || isUnderWay(message)) continue;
    // One that has words says by its state that it was cut off.
    const left = {
      sentence: `${name} did not answer.`,
      actions: [{ id: "retry", label: "Retry" } as const],
    };
    const problem = message.state === "failed" ? left : null;
    chat.change({ op: "patch", id: message.id, patch: { problem } });
  }
}
