import { oneLine } from "../../shared/text/lineFeeds.ts";
import { plainText } from "../writing.ts";

const excerptCharacters = 400;
/** Lines that are no text: fences, rules, and the dashes below the head of a table. */
const mark = /^\s*(?:```.*|~~~.*|[-*_=]{3,}|\|?[\s:|-]+\|)\s*$/;

/** Where a page of a PDF begins, as this machine marks it. */
const pageMark = /^<!-- Page \d+ -->$/gm;

/** The beginning of a text in Markdown as it reads, in one line, without the title that is shown beside it. */
export function excerptOf(markdown: string, title: string): string {
  const lines = markdown
    .replace(/^---\n[\s\S]*?\n---\n/, "")
    .replaceAll(pageMark, "")
    .split("\n")
    .filter((line) => line.trim() !== "" && !mark.test(line))
    .map((line) =>
      oneLine(plainText(line.replace(/^\s*(?:#{1,6}|>|[-*+]|\d+[.)])\s+/, "").replace(/^\s*\|\s*/, ""))),
    )
    .filter((line) => line !== "");
  const own = lines[0] === title ? lines.slice(1) : lines;
  return own
    .join(" ")
    .replace(/\s*(?<!\\)\|\s*/g, " ")
    .trim()
    .slice(0, excerptCharacters);
}
