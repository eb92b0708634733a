import type { CursorContext } from "./cursorContext.ts";

interface Entry {
  readonly at: CursorContext;
  readonly text: string;
}

const mostEntries = 60;
/** Characters before the cursor that have to be the same. */
const compared = 1_000;

/**
 * Completions by their place. Typing along a completion finds the rest of it. The least recently used entry is removed
 * first.
 */
export class CompletionCache {
  readonly #entries = new Set<Entry>();

  /** The text to insert; undefined if the place is not known. Empty if the model had nothing to add there. */
  find(at: CursorContext): string | undefined {
    for (const entry of [...this.#entries].reverse()) {
      const rest = restOf(entry, at);
      if (rest === undefined) continue;
      this.#entries.delete(entry);
      this.#entries.add(entry);
      return rest;
    }
    return undefined;
  }

  /** `find` gives the rest of it to whoever types along it. */
  add(at: CursorContext, text: string): void {
    this.#entries.add({ at, text });
    for (const oldest of this.#entries) {
      if (this.#entries.size <= mostEntries) break;
      this.#entries.delete(oldest);
    }
  }

  clear(): void {
    this.#entries.clear();
  }
}

/** The part of the completion that is not typed yet. */
function restOf({ at, text }: Entry, now: CursorContext): string | undefined {
  if (at.uri !== now.uri || at.line > now.line || at.after !== now.after) return undefined;
  const typed = typedSince(at, now, text);
  if (typed === undefined) return undefined;
  const start = now.before.slice(0, now.before.length - typed.length).slice(-compared);
  const isSame = at.before.endsWith(start) || start.endsWith(at.before.slice(-compared));
  return isSame ? text.slice(typed.length) : undefined;
}

/** The typed start of the completion: empty at its own place. */
function typedSince(at: CursorContext, now: CursorContext, text: string): string | undefined {
  const lines = now.line - at.line;
  let end = 0;
  for (let line = 0; line < lines; line++) {
    end = text.indexOf("\n", end) + 1;
    if (end === 0) return undefined;
  }
  end += lines === 0 ? now.character - at.character : now.character;
  // A completion that was typed to its end has no rest to offer.
  if (end < 0 || (end >= text.length && end > 0)) return undefined;
  const typed = text.slice(0, end);
  return now.before.endsWith(typed) ? typed : undefined;
}
