import { visibleLine } from "../../../shared/text/html/visibleText.ts";

const maxLines = 200;
/** Width of a line that the quick pick of a small window shows, in narrow letters. */
const lineWidth = 56;

/** Texts as lines of a quick pick, which cuts longer ones. Ends with the number of lines that are not shown. */
export function pickLines(texts: readonly string[]): readonly string[] {
  const lines = texts.flatMap((text) => text.split("\n")).flatMap((text) => wrap(plainLine(text)));
  const more = lines.length - maxLines;
  return more > 0 ? [...lines.slice(0, maxLines), `${more} more lines are not shown`] : lines;
}

/** Lines that end after a space if one is near. */
function wrap(text: string): string[] {
  const lines: string[] = [];
  let line = "";
  let width = 0;
  for (const letter of text) {
    const isFull = width >= lineWidth || (letter !== " " && line.endsWith(" ") && width > lineWidth - 12);
    if (isFull) {
      lines.push(line);
      line = "";
      width = 0;
    }
    line += letter;
    width += widthOf(letter);
  }
  return line === "" ? lines : [...lines, line];
}

function widthOf(letter: string): number {
  if (letter > "~") return 2;
  return /[A-Zmw@%&]/.test(letter) ? 1.5 : 1;
}

/** Foreign text in a quick pick: hidden characters are shown, and `$(name)` is not an icon. */
export function plainLine(text: string): string {
  return visibleLine(text).replaceAll("$(", "$ (");
}
