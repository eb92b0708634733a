import type { Disposable } from "vscode";
import type { AnswerSource } from "../../shared/chat/answerSource.ts";
import type { HostedAgentName } from "../../shared/chat/hostedAgentNames.ts";
import type { LineSpan } from "../../shared/lineSpan.ts";

/** A part of a document at the time it was attached. */
interface SelectionAttachment {
  readonly kind: "selection";
  readonly uri: string;
  /** Path in the workspace, or the file's name, for users and models. */
  readonly name: string;
  readonly languageId: string;
  readonly range: LineSpan;
  readonly text: string;
  /** For a page that the question brings as a numbered source. */
  readonly source?: AnswerSource;
}
export type ChatAttachment = SelectionAttachment;

/** Content for the chat: `send` submits it in a new chat, else it is put into the composer, which gets the focus. */
export interface ChatOffer {
  readonly text: string;
  /** The question in other words, for a chat whose model acts. */
  readonly byMode?: { readonly plan?: string; readonly agent?: string };
  readonly send: boolean;
  readonly attachments: readonly ChatAttachment[];
  /** Another agent that answers from now on. */
  readonly agent?: HostedAgentName;
}

/**
 * Passes content from any feature to the chat, which may not be loaded yet. Offers are queued until the chat takes
 * them.
 */
export class Handoff {
  readonly #waiting: ChatOffer[] = [];
  readonly #listeners = new Set<() => void>();

  offer(offer: ChatOffer): void {
    this.#waiting.push(offer);
    for (const listener of [...this.#listeners]) listener();
  }

  /** Returns and removes all queued offers, oldest first. */
  take(): readonly ChatOffer[] {
    return this.#waiting.splice(0);
  }

  /** Calls the listener at each offer, and at once if some are queued. */
  onDidOffer(listener: () => void): Disposable {
    this.#listeners.add(listener);
    if (this.#waiting.length > 0) listener();
    return { dispose: () => void this.#listeners.delete(listener) };
  }
}

/** The lines of a range, counted from 1: `lines 2 to 4`. A line of which no character is selected does not count. */
export function linesOf({ startLine, endLine, endCharacter }: LineSpan): string {
  const first = startLine + 1;
  const last = endLine + (endCharacter === 0 && endLine > startLine ? 0 : 1);
  return first === last ? `line ${first}` : `lines ${first} to ${last}`;
}
