import { lineHunks } from "../../../../shared/text/lineHunks.ts";

/** A text before and after a change. */
export interface ChangedText {
  readonly path: string;
  readonly before: string;
  readonly after: string;
}

/** Lines that are shown before and after a change, */
const linesAround = 3;
/** changed lines that follow each other, of which the first and the last ones are shown, */
const maxLines = 12;
/** changes of all texts, */
const maxPlaces = 8;
/** and characters, of which one line has at most so many. */
const maxCharacters = 2_000;
const maxLineLength = 200;

/** Lines of a text, counted from 0; the end is exclusive. */
interface Lines {
  readonly start: number;
  readonly end: number;
}

/**
 * The lines of texts as they are after a change, with their numbers and some lines around, in the form that read_file
 * has. At most about 2,000 characters, with what was left out. Empty if nothing has changed.
 */
export function changedLines(texts: readonly ChangedText[]): string {
  const shown: string[] = [];
  let places = 0;
  let characters = 0;
  let leftOut = 0;
  for (const { path, before, after } of texts) {
    const lines = linesOf(after);
    const blocks = placesOf(lineHunks(linesOf(before).join("\n"), lines.join("\n")), lines.length);
    const parts: string[] = [];
    for (const block of blocks) {
      const part = blockText(lines, block);
      if (places === maxPlaces || (places > 0 && characters + part.length > maxCharacters)) leftOut += 1;
      else {
        parts.push(part);
        places += 1;
        characters += part.length;
      }
    }
    if (parts.length > 0) shown.push(`${path} is now:\n${parts.join("\n…\n")}`);
  }
  if (leftOut > 0)
    shown.push(`(${leftOut === 1 ? "One more change is" : `${leftOut} more changes are`} not shown.)`);
  return shown.join("\n");
}

function linesOf(text: string): readonly string[] {
  return text.split(/\r?\n/);
}

/** A change with the lines around it: those that are changed, in parts that unchanged lines divide. */
interface Place {
  readonly whole: Lines;
  readonly changed: readonly Lines[];
}

/** Changes whose lines around meet are one. */
function placesOf(hunks: ReturnType<typeof lineHunks>, count: number): readonly Place[] {
  const places: { whole: Lines; readonly changed: Lines[] }[] = [];
  for (const { afterStart: start, afterEnd: end } of hunks) {
    const whole = { start: Math.max(0, start - linesAround), end: Math.min(count, end + linesAround) };
    const last = places.at(-1);
    if (last && whole.start <= last.whole.end) {
      last.whole = { start: last.whole.start, end: whole.end };
      last.changed.push({ start, end });
    } else places.push({ whole, changed: [{ start, end }] });
  }
  return places;
}

function blockText(lines: readonly string[], { whole, changed }: Place): string {
  const hidden = changed
    .filter(({ start, end }) => end - start > maxLines)
    .map(({ start, end }) => ({ start: start + maxLines / 2, end: end - maxLines / 2 }));
  const shown: string[] = [];
  let length = 0;
  for (let row = whole.start; row < whole.end; row++) {
    const gap = hidden.find(({ start, end }) => row >= start && row < end);
    const text = gap ? "…" : numbered(lines[row] ?? "", row);
    length += text.length + 1;
    // One place alone may have too many lines that stand apart.
    if (length > maxCharacters) return [...shown, "…"].join("\n");
    shown.push(text);
    if (gap) row = gap.end - 1;
  }
  // The empty line after the last line break is none.
  if (whole.end === lines.length && lines.at(-1) === "") shown.pop();
  return shown.join("\n");
}

function numbered(line: string, row: number): string {
  const cut = line.length > maxLineLength ? `${line.slice(0, maxLineLength)}…` : line;
  return `${String(row + 1).padStart(6)}\t${cut}`;
}
