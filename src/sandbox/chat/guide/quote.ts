import type { DocsHit, DocsLibrary } from "../../docs/library.ts";
import type { Section } from "../../docs/sections.ts";
import type { AnswerContext } from "../draft.ts";

const maxCharacters = 2600;
/** The least score of a second quoted section, relative to the first. */
const nearlyAsGood = 0.7;
const maxPointers = 3;

/** Quotes the best section and a close second, and links to the others. */
export function quote(hits: readonly DocsHit[], context: AnswerContext): string {
  const [best, ...rest] = hits;
  if (!best) return "";
  const quoted = withSubsections(best.section, context.library);
  const others = rest.filter(({ section }) => !quoted.includes(section));
  const [second] = others;
  const twin =
    second && second.score >= best.score * nearlyAsGood && short(best.section) ? second : undefined;
  const pointers = others.filter((hit) => hit !== twin).slice(0, maxPointers);
  const parts = [
    ...quoted.map((section, index) =>
      block(section, index === 0 ? "##" : "###", citationMark(section, context)),
    ),
    twin ? block(twin.section, "###", citationMark(twin.section, context)) : "",
    pointers.length > 0 ? `### See also\n\n${pointers.map(pointer).join("\n")}` : "",
    sources([...quoted, ...(twin ? [twin.section] : [])], context),
  ];
  return parts.filter((part) => part !== "").join("\n\n");
}

/** A section without much text of its own is quoted with its subsections. */
function withSubsections(section: Section, library: DocsLibrary): readonly Section[] {
  if (!short(section) || section.level > 2) return [section];
  const all = library.sections();
  const below = all.slice(section.id + 1);
  const end = below.findIndex(({ level, page }) => level <= section.level || page !== section.page);
  const children = below
    .slice(0, end < 0 ? below.length : end)
    .filter(({ level }) => level === section.level + 1);
  return section.level === 1 ? [section] : [section, ...children];
}

function short({ text }: Section): boolean {
  return text.length < 700;
}

function block(section: Section, marks: string, citation: string): string {
  return `${marks} ${section.heading}\n\n${withMark(excerpt(section.text), citation)}`;
}

/** Takes whole blocks of markdown that fit. Fences and tables are never cut. */
function excerpt(text: string): string {
  if (text.length <= maxCharacters) return text;
  const blocks = blocksOf(text);
  let size = 0;
  const stored = blocks.filter((one, index) => {
    size += one.length;
    return index === 0 || size <= maxCharacters;
  });
  return `${stored.join("\n\n")}\n\n…`;
}

function blocksOf(text: string): string[] {
  const blocks: string[] = [];
  let fenced = false;
  for (const part of text.split(/\n{2,}/)) {
    if (fenced) blocks.push(`${blocks.pop()}\n\n${part}`);
    else blocks.push(part);
    if ((part.match(/^\s*(```|~~~)/gm) ?? []).length % 2 === 1) fenced = !fenced;
  }
  return blocks;
}

function pointer({ section }: DocsHit): string {
  const first = plainSentence(section.text);
  return `- **${section.page} › ${section.heading}**${first ? `: ${first}` : ""}`;
}

/** The first sentence of prose. Lists, tables and code need their context. */
function plainSentence(text: string): string {
  const prose = text.split(/\n{2,}/).find((part) => /^[\p{L}"“*`]/u.test(part)) ?? "";
  const sentence = /^[\s\S]*?[.!?](?=\s|$)/.exec(prose.replace(/\n/g, " "))?.[0] ?? "";
  return sentence.length <= 200 ? sentence : "";
}

function sources(sections: readonly Section[], { library, ask, choice }: AnswerContext): string {
  const names = sections.map(({ page, heading }) => (page === heading ? page : `${page} › ${heading}`));
  const from = `*Quoted from the documentation: ${[...new Set(names)].join("; ")}.*`;
  const first = ask.body.messages.every(({ role }) => role !== "assistant");
  if (!first || library.pages.length === 0) return `---\n\n${from}`;
  const who = [
    "*I am the sandbox's guide: I find the passage that fits and add nothing of my own.*",
    "*This is the sandbox, a stand-in for the service: no account, no charge.*",
  ];
  return `---\n\n${from} ${who[choice % who.length]}`;
}

/** The citation mark of the dialect (wire.md section 5). */
function citationMark(section: Section, { found, ask }: AnswerContext): string {
  const index = found.findIndex((hit) => hit.section.id === section.id);
  if (index < 0 || !ask.switches.enable_web_citations) return "";
  return ask.dialect === "standard" ? `^${index + 1}^` : `[REF]${index}[/REF]`;
}

function withMark(text: string, mark: string): string {
  if (mark === "") return text;
  const [first = "", ...rest] = blocksOf(text);
  const marked =
    /^[\p{L}"“*`]/u.test(first) && !/^```/.test(first) ? `${first} ${mark}` : `${first}\n\n${mark}`;
  return [marked, ...rest].join("\n\n");
}
