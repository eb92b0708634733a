import { normalLabel, readDefinition } from "./linkSyntax.ts";

/** The link definitions of one answer. They may stand after the text that uses them, so that text is drawn again. */
export interface References {
  readonly definitions: ReadonlyMap<string, string>;
  /** The first definition of a label counts. */
  define(label: string, href: string): void;
  /** Text of this length is drawn again once one of these labels, not defined yet, has its definition. */
  watch(labels: ReadonlySet<string>, length: number, redraw: () => void): void;
  /** Draws again what has got definitions, one text after the other, up to about this length. Returns what is left of it. */
  redraw(length: number): number;
}

interface Watcher {
  readonly length: number;
  readonly redraw: () => void;
}

export function createReferences(): References {
  const definitions = new Map<string, string>();
  const watchers = new Map<string, Watcher[]>();
  const due = new Set<Watcher>();
  return {
    definitions,
    define(label, href) {
      const key = normalLabel(label);
      if (definitions.has(key)) return;
      definitions.set(key, href);
      for (const watcher of watchers.get(key) ?? []) due.add(watcher);
      watchers.delete(key);
    },
    watch(labels, length, redraw) {
      const watcher = { length, redraw };
      for (const label of labels) {
        if (definitions.has(label)) continue;
        const waiting = watchers.get(label);
        if (waiting) waiting.push(watcher);
        else watchers.set(label, [watcher]);
      }
    },
    redraw(length) {
      let left = length;
      for (const watcher of due) {
        if (watcher.length > left) return left;
        left -= watcher.length;
        due.delete(watcher);
        watcher.redraw();
      }
      return left;
    },
  };
}

/** Takes the definitions off the front of a paragraph; returns what is left of it. */
export function takeDefinitions(paragraph: string, references: References): string {
  if (!paragraph.startsWith("[")) return paragraph;
  const source = `${paragraph}\n`;
  let at = 0;
  for (let found = readDefinition(source, at); found; found = readDefinition(source, at)) {
    references.define(found.label, found.href);
    at = found.end;
  }
  return paragraph.slice(at);
}
