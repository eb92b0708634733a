import type { GivenSource } from "../../../shared/chat/sources/sourcesPrompt.ts";
import { fitOf, type Passage, passagesOf, placeOf } from "../../../shared/web/passages.ts";

const mostQuotes = 4;
const maxQuoteLength = 240;
/** The least fit of a quote, relative to the best. */
const leastFit = 0.45;
const note =
  "*I am the sandbox's guide: I quote what fits the question best and add nothing of my own. A language model would answer in its own words.*";

interface Quote {
  readonly number: number;
  readonly text: string;
  readonly fit: number;
}

/** The sentences of given sources that fit a question best, each with the number of its source. */
export function quoteSources({
  sources,
  question,
}: {
  readonly sources: readonly GivenSource[];
  readonly question: string;
}): string {
  const passages = sources.flatMap((source) =>
    passagesOf(source.text).map((passage) => ({ passage, number: source.number })),
  );
  const fits = fitOf(
    passages.map(({ passage }) => passage),
    question,
  );
  const quotes = passages
    .map(
      ({ passage, number }, index): Quote => ({
        number,
        text: saidIn(passage, question),
        fit: fits[index] ?? 0,
      }),
    )
    .filter(({ fit, text }) => fit > 0 && text !== "")
    .sort((one, two) => two.fit - one.fit);
  const [best] = quotes;
  if (!best) return `The pages that were read do not answer this.\n\n---\n\n${note}`;
  const shown = quotes.filter(({ fit }) => fit >= best.fit * leastFit).slice(0, mostQuotes);
  const lines = shown.map(({ number, text }) => `- ${text} [${number}]`);
  return `The sources say:\n\n${lines.join("\n")}\n\n---\n\n${note}`;
}

/** The sentence of a passage that fits, or its beginning, in one line without marks that would be rendered. */
function saidIn({ text }: Passage, question: string): string {
  const said = (placeOf(text, question)?.text ?? text)
    .replace(/^ {0,3}#{1,6}\s.*$/gm, "")
    .replace(/^<!--.*-->$/gm, "")
    .replace(/\[\d[\d, ]*\]/g, "")
    .replace(/^[ \t|:-]+$/gm, "")
    .replace(/^[ \t]*\|.*$/gm, rowInWords)
    .trim()
    .replace(/^(?:[-*+>]|\d+[.)])\s+/, "")
    .replace(/\s+/g, " ")
    .replace(/;$/, "");
  if (said.length <= maxQuoteLength) return said;
  const head = said.slice(0, maxQuoteLength);
  return /^.*[.!?](?=\s)/.exec(head)?.[0] ?? `${head.slice(0, head.lastIndexOf(" "))} …`;
}

/** `a · b;` for a row of a table. */
function rowInWords(row: string): string {
  const cells = row.split("|").map((cell) => cell.trim());
  return `${cells.filter((cell) => cell !== "").join(" · ")};`;
}
