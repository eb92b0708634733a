import { type ChatAttachment, type ChatOffer, linesOf } from "../../session/handoff.ts";
import type { AttachmentDraft } from "./attachments/attachmentDraft.ts";
import type { FoundText } from "./attachments/sources.ts";
import type { LiveChat } from "./liveChat.ts";
import type { QuestionQueue } from "./questionQueue.ts";
import { nextDraft, type Turns } from "./turns.ts";

export interface OfferDeps {
  readonly chat: LiveChat;
  readonly turns: Pick<Turns, "send">;
  readonly queue: Pick<QuestionQueue, "add">;
  readonly attachments: Pick<AttachmentDraft, "make" | "addText">;
  readonly newChat: () => Promise<void>;
}

/**
 * A question from elsewhere in the editor: asked at once in a new chat, after the answer that is being written, or put
 * into the box below what is typed there.
 */
export async function takeOffer(
  { chat, turns, queue, attachments, newChat }: OfferDeps,
  { text, send, attachments: offered }: ChatOffer,
): Promise<void> {
  const found = offered.map(toFoundText);
  if (send) {
    const along = await Promise.all(found.map(attachments.make));
    if (!chat.state.busy) {
      // What was talked of before would be sent along, and paid for.
      if (chat.state.messages.length > 0) await newChat();
      await turns.send(text, { attachments: along });
      return;
    }
    if (queue.add(text, along)) return;
  }
  await Promise.all(found.map(attachments.addText));
  const typed = chat.state.draft.text.trimEnd();
  const draft = typed === "" || text === "" ? typed + text : `${typed}\n\n${text}`;
  chat.set({ draft: nextDraft(chat.state.draft, draft, Date.now()) });
}

function toFoundText({ kind, uri, name, languageId, range, text }: ChatAttachment): FoundText {
  return { kind, name, uri, languageId, text, detail: linesOf(range), line: range.startLine + 1 };
}
