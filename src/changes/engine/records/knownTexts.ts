import { createHash } from "node:crypto";

/** The texts that a model has read or written whole, so that it replaces no unsaved text that it does not know. */
export interface KnownTexts {
  /** True if the model has this text of a file. */
  has(text: string): boolean;
  add(text: string): void;
}

/** Limit of texts; the oldest are dropped, so that a model has to read them again. */
const mostTexts = 2000;

/** Keeps the texts of each task apart: one model does not know what another one has read. */
export function createKnownTexts(): (task: string) => KnownTexts {
  const digests = new Set<string>();
  return (task) => ({
    has: (text) => digests.has(digestOf(task, text)),
    add(text) {
      const digest = digestOf(task, text);
      digests.delete(digest);
      digests.add(digest);
      const [oldest] = digests;
      if (digests.size > mostTexts && oldest !== undefined) digests.delete(oldest);
    },
  });
}

/** Line ends don't count: a model writes its own, and the file keeps those that it has. */
function digestOf(task: string, text: string): string {
  const plain = text.replace(/^\ufeff/, "").replace(/\r\n?/g, "\n");
  return createHash("sha256").update(`${task}\n${plain}`).digest("base64");
}
