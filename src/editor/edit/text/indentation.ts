/** The place of a replaced text. */
export interface IndentPlace {
  /** The replaced text, with `\n` line ends. */
  readonly original: string;
  /** The text before it in its first line. */
  readonly lead: string;
}

const closer = /^\s*([)\]}]|end\b|<\/)/;
/** The line after such a line is indented deeper. */
const opener = /([:{([=+\-*/|&?<>\\]|\b(do|then|else))$/;
const trailingComment = /\s+(#|\/\/).*$/;

/** Restores the indentation of the place in a text whose indentation was lost or changed. */
export function reindent(body: string, { original, lead }: IndentPlace): string {
  const base = leading(lead);
  const own = lead === "" ? "" : leading(original);
  const before = lead === "" ? original : base + own + original.trimStart();
  // Again after the shift: only then may a text of tabs and spaces have one unit.
  const fitted = withUnitOf(shift(withUnitOf(body, before), before), before);
  if (lead === "") return fitted;
  return own + fitted.replace(/^[ \t]+/, "");
}

function shift(body: string, before: string): string {
  const target = before.trim() === "" ? (/[ \t]*$/.exec(before)?.[0] ?? "") : leading(before);
  const [first = "", ...rest] = body.split("\n");
  const found = leading(first);
  if (found === target) return body;
  if (found !== "")
    return least(body.split("\n")) === least(before.split("\n")) ? body : moved(body, found, target);
  return isFirstAlone(first, rest, before, target)
    ? [target + first, ...rest].join("\n")
    : moved(body, "", target);
}

/** Shifts all lines by the difference of two indentations. */
function moved(body: string, from: string, to: string): string {
  return body
    .split("\n")
    .map((line) => {
      if (line.trim() === "") return line;
      if (line.startsWith(from)) return to + line.slice(from.length);
      if (to.startsWith(from)) return to.slice(from.length) + line;
      const isSameKind =
        from.startsWith(to) &&
        leading(from + line)
          .split(from[0] ?? "")
          .join("") === "";
      return isSameKind ? line.slice(Math.min(leading(line).length, from.length - to.length)) : line;
    })
    .join("\n");
}

/** True if only the first line has lost its indentation. */
function isFirstAlone(first: string, rest: readonly string[], before: string, target: string): boolean {
  const next = rest.find((line) => line.trim() !== "" && !/^\s*\*/.test(line));
  if (next === undefined) return true;
  const depth = leading(next).length;
  const opens = opener.test(first.replace(trailingComment, "").trimEnd());
  const fits = (firstDepth: number, nextDepth: number) => {
    if (!opens) return nextDepth <= firstDepth;
    return nextDepth > firstDepth || (closer.test(next) && nextDepth === firstDepth);
  };
  const fitsAlone = fits(target.length, depth);
  const fitsMoved = fits(0, depth);
  if (fitsAlone !== fitsMoved) return fitsAlone;
  if (opens) return isAsDeepAsBefore(rest, before, target);
  const original = least(before.split("\n").slice(1));
  // Lines less deep than the first can't have lost as much as it did.
  return depth > 0 || (original !== undefined && original < target.length);
}

/** Used if the next line is inconclusive: true if the lines are as deep as those of the original. */
function isAsDeepAsBefore(rest: readonly string[], before: string, target: string): boolean {
  const found = least(rest) ?? 0;
  const original = least(before.split("\n").slice(1));
  if (original !== undefined) return found >= original;
  const last = rest.findLast((line) => line.trim() !== "") ?? "";
  return found > target.length || (found === target.length && closer.test(last));
}

/** Converts to tabs if the place has only tabs and the text has none, or the reverse. */
function withUnitOf(body: string, before: string): string {
  const targetUnit = unitOf(before);
  const bodyUnit = unitOf(body);
  if (targetUnit === undefined || bodyUnit === undefined || (targetUnit === "\t") === (bodyUnit === "\t"))
    return body;
  return body
    .split("\n")
    .map((line) => {
      const indent = leading(line);
      const depth = Math.floor(indent.length / bodyUnit.length);
      // The asterisks of a block comment are indented by one more space.
      return targetUnit.repeat(depth) + indent.slice(depth * bodyUnit.length) + line.slice(indent.length);
    })
    .join("\n");
}

/** A tab, or the smallest number of spaces; undefined for a mixed or unindented text. */
function unitOf(text: string): string | undefined {
  const indents = text
    .split("\n")
    .filter((line) => line.trim() !== "" && !/^\s*\*/.test(line))
    .map(leading)
    .filter((indent) => indent !== "");
  if (indents.length === 0) return undefined;
  if (indents.every((indent) => /^\t+$/.test(indent))) return "\t";
  if (!indents.every((indent) => /^ +$/.test(indent))) return undefined;
  const common = indents.map(({ length }) => length).reduce(divisor);
  // All lines are two levels deep.
  return " ".repeat(common % 4 === 0 ? 4 : common);
}

function divisor(a: number, b: number): number {
  return b === 0 ? a : divisor(b, a % b);
}

/** The shortest indentation of the lines that are not blank; undefined if all are blank. */
function least(lines: readonly string[]): number | undefined {
  const lengths = lines.filter((line) => line.trim() !== "").map((line) => leading(line).length);
  return lengths.length === 0 ? undefined : Math.min(...lengths);
}

function leading(text: string): string {
  return /^[ \t]*/.exec(text)?.[0] ?? "";
}
