import type { DocsHit, DocsLibrary } from "../docs/library.ts";
import type { Ask } from "./ask.ts";

/** A source of a searched answer (wire.md section 5). */
export interface SearchCitation {
  readonly title: string;
  readonly url: string;
  readonly content: string;
  readonly date: string;
}

export interface DraftCall {
  readonly name: string;
  /** JSON text. */
  readonly arguments: string;
}

/** What a model wants to say, before stop sequences and token limits cut it. */
export interface AnswerDraft {
  readonly reasoning?: string;
  readonly content: string;
  readonly calls?: readonly DraftCall[];
  /** Only a language model could answer: the request is refused with the content as its reason, and not charged. */
  readonly isDeclined?: boolean;
}

/** What an author may know when it writes. */
export interface AnswerContext {
  readonly ask: Ask;
  readonly library: DocsLibrary;
  /** What a search inside the chat found; empty when none was made. */
  readonly found: readonly DocsHit[];
  /** Which of several choices is wanted, from 0. */
  readonly choice: number;
}

export type Author = (context: AnswerContext) => AnswerDraft;
