import { normalLabel, readDefinition } from "./linkSyntax.ts";

/** The link definitions of one answer. They may stand after the text that uses them, so that text is told. */
export interface References {
  readonly definitions: ReadonlyMap<string, string>;
  /** The first definition of a label counts. */
  define(label: string, href: string): void;
  /** Calls when one of these labels, not defined yet, gets its definition. */
  watch(labels: ReadonlySet<string>, redraw: () => void): void;
}

export function createReferences(): References {
  const definitions = new Map<string, string>();
  const watchers = new Map<string, Set<() => void>>();
  return {
    definitions,
    define(label, href) {
      const key = normalLabel(label);
      if (definitions.has(key)) return;
      definitions.set(key, href);
      const waiting = watchers.get(key);
      watchers.delete(key);
      for (const redraw of waiting ?? []) redraw();
    },
    watch(labels, redraw) {
      for (const label of labels) {
        if (definitions.has(label)) continue;
        const waiting = watchers.get(label) ?? new Set();
        watchers.set(label, waiting.add(redraw));
      }
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
