import type { QuestionDraft } from "../../protocol/chatState.ts";

/** A draft with a higher revision than any that the host or the view has. */
export function nextDraft({ revision }: QuestionDraft, text: string, seen: number): QuestionDraft {
  return { text, revision: Math.max(revision, seen) + 1 };
}

/** The draft with this text below the typed one. */
export function appendToDraft(draft: QuestionDraft, text: string): QuestionDraft {
  const typed = draft.text.trimEnd();
  const joined = typed === "" || text === "" ? typed + text : `${typed}\n\n${text}`;
  return nextDraft(draft, joined, Date.now());
}

/** The draft in the prompt is newer than the stored one. An empty prompt takes the stored draft. */
export function draftOnOpening(typed: QuestionDraft, stored: QuestionDraft): QuestionDraft {
  if (typed.revision <= stored.revision || typed.text !== "")
    return typed.revision > stored.revision ? typed : stored;
  return { text: stored.text, revision: typed.revision + 1 };
}
