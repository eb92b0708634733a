import type { BlobStore } from "../../../platform/files/blobStore.ts";
import type { AnswerSource } from "../../../shared/chat/answerSource.ts";
import { type CitationMark, citationMarks } from "../../../shared/chat/sources/citationMarks.ts";
import { oneLine } from "../../../shared/text/lineFeeds.ts";
import { shortened } from "../../../shared/text/shortened.ts";
import { lastSentence, placeOf } from "../../../shared/web/passages.ts";
import type { AnswerMessage, AnswerPatch, Message, UserMessage } from "../../protocol/chatMessages.ts";

/** The sources that the last question with sources brought: those that an answer to this path cites. */
export function sourcesOf(path: readonly Message[]): readonly AnswerSource[] {
  return (lastSourced(path)?.attachments ?? []).flatMap(({ source }) => source ?? []);
}

function lastSourced(path: readonly Message[]): UserMessage | undefined {
  return path.findLast(
    (message) => message.role === "user" && (message.attachments ?? []).some(({ source }) => source),
  ) as UserMessage | undefined;
}

/** Characters before a mark that are searched for the statement that it supports. */
const mostBefore = 600;
const longestExcerpt = 300;

/**
 * Checks the citations of a whole answer. Adds to each source the sentence that is cited first, and a note on numbers without a
 * source.
 */
export async function checkCitations(
  { text, notes = [] }: Pick<AnswerMessage, "text" | "notes">,
  path: readonly Message[],
  blobs: Pick<BlobStore, "read">,
): Promise<AnswerPatch> {
  const attached = (lastSourced(path)?.attachments ?? []).filter(({ source }) => source);
  if (attached.length === 0) return {};
  const marks = citationMarks(text);
  const sources = await Promise.all(
    attached.map(async ({ source, blob }, index): Promise<readonly AnswerSource[]> => {
      if (!source) return [];
      const mark = marks.find(({ numbers }) => numbers.includes(index + 1));
      const page = mark && (await blobs.read(blob));
      const found = page && placeOf(Buffer.from(page).toString("utf8"), statementAt(text, mark));
      return [found ? { ...source, excerpt: shortened(oneLine(found.text), longestExcerpt) } : source];
    }),
  );
  const unknown = [...new Set(marks.flatMap(({ numbers }) => numbers))].filter(
    (number) => number < 1 || number > attached.length,
  );
  return { sources: sources.flat(), ...(unknown.length > 0 ? { notes: [...notes, noteOf(unknown)] } : {}) };
}

/** The sentence before a mark. Other marks and signs of Markdown are no words of it. */
function statementAt(text: string, { start }: CitationMark): string {
  const block =
    text
      .slice(Math.max(0, start - mostBefore), start)
      .split(/\n\s*\n/)
      .at(-1) ?? "";
  return lastSentence(block.replace(/\[\d[\d, ]*\]|\^\d[\d, ]*\^/g, ""));
}

function noteOf(unknown: readonly number[]): string {
  const named = unknown.map((number) => `[${number}]`).join(", ");
  const [subject, verb] = unknown.length === 1 ? ["a source", "was"] : ["sources", "were"];
  return `The answer cites ${named}, ${subject} that ${verb} not read. Check what it says there.`;
}
