import type { Disposable } from "vscode";
import { fenced } from "../shared/fence.ts";

/** Counted from 0, as the editor counts. */
export interface SelectedRange {
  readonly startLine: number;
  readonly startCharacter: number;
  readonly endLine: number;
  readonly endCharacter: number;
}

/** Part of a document, as it was when it was handed over. */
export interface SelectionAttachment {
  readonly kind: "selection";
  readonly uri: string;
  /** Path in the workspace, or the file's name: for people and models to read. */
  readonly name: string;
  readonly languageId: string;
  readonly range: SelectedRange;
  readonly text: string;
}
export type ChatAttachment = SelectionAttachment;

/** Something for the chat: `send` asks at once, else it waits in the composer, which gets the focus. */
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

/** An offer as one text, attachments as fenced code after it: for a composer that knows text alone. */
export function toPromptText({ text, attachments }: ChatOffer): string {
  const blocks = attachments.map(
    (attachment) =>
      `${placeOf(attachment)}\n${fenced(attachment.text.replaceAll("\r\n", "\n"), attachment.languageId)}`,
  );
  // An empty question comes after what it is about: the cursor stands at the end.
  return text === "" ? `${blocks.join("\n\n")}\n\n` : [text, ...blocks].join("\n\n");
}

/** Where an attachment is from, with lines counted from 1: `src/hello.ts, lines 2 to 4`. */
export function placeOf({ name, range }: ChatAttachment): string {
  const first = range.startLine + 1;
  const last = range.endLine + (range.endCharacter === 0 && range.endLine > range.startLine ? 0 : 1);
  return first === last ? `${name}, line ${first}` : `${name}, lines ${first} to ${last}`;
}
