import type { DocsHit, DocsLibrary } from "../docs/library.ts";
import type { PictureFacts } from "../images/pictureFacts.ts";
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

/** An answer before stop sequences and token limits. */
export interface AnswerDraft {
  readonly reasoning?: string;
  readonly content: string;
  readonly calls?: readonly DraftCall[];
  /** Needs a language model: the request is refused with the content as its reason, and is free. */
  readonly isDeclined?: boolean;
}

/** The input of an author. */
export interface AnswerContext {
  readonly ask: Ask;
  readonly library: DocsLibrary;
  /** Results of the chat's web search. Empty without one. */
  readonly found: readonly DocsHit[];
  /** The newest pictures of the request, for the model that takes them. */
  readonly pictures: readonly PictureFacts[];
  /** Index of the choice. */
  readonly choice: number;
}

export type Author = (context: AnswerContext) => AnswerDraft;
