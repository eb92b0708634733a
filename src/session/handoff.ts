import type { Disposable } from "vscode";

/** Counted from 0, as the editor counts. */
export interface SelectedRange {
  readonly startLine: number;
  readonly startCharacter: number;
  readonly endLine: number;
  readonly endCharacter: number;
}

/** Part of a document, as it was when it was handed over. */
interface SelectionAttachment {
  readonly kind: "selection";
  readonly uri: string;
  /** Path in the workspace, or the file's name: for people and models to read. */
  readonly name: string;
  readonly languageId: string;
  readonly range: SelectedRange;
  readonly text: string;
}
export type ChatAttachment = SelectionAttachment;

/** Something for the chat: `send` asks at once in a new chat, else it waits in the composer, which gets the focus. */
export interface ChatOffer {
  readonly text: string;
  readonly send: boolean;
  readonly attachments: readonly ChatAttachment[];
}

/** The way from any feature to the chat, which may not be loaded yet: offers are kept until it takes them. */
export interface Handoff {
  offer(offer: ChatOffer): void;
  /** Everything offered and not taken yet, oldest first; from then on it is the caller's. */
  take(): readonly ChatOffer[];
  /** Calls the listener at each offer, and at once if some are waiting. */
  onDidOffer(listener: () => void): Disposable;
}

export function createHandoff(): Handoff {
  let waiting: ChatOffer[] = [];
  const listeners = new Set<() => void>();
  return {
    offer(offer) {
      waiting.push(offer);
      for (const listener of [...listeners]) listener();
    },
    take() {
      const taken = waiting;
      waiting = [];
      return taken;
    },
    onDidOffer(listener) {
      listeners.add(listener);
      if (waiting.length > 0) listener();
      return { dispose: () => void listeners.delete(listener) };
    },
  };
}

/** The lines of a range, counted from 1: `lines 2 to 4`. One that ends before a line's first character has none of it. */
export function linesOf({ startLine, endLine, endCharacter }: SelectedRange): string {
  const first = startLine + 1;
  const last = endLine + (endCharacter === 0 && endLine > startLine ? 0 : 1);
  return first === last ? `line ${first}` : `lines ${first} to ${last}`;
}
