import type { LineSpan } from "../../../shared/lineSpan.ts";

export function isEmpty(span: LineSpan): boolean {
  return span.startLine === span.endLine && span.startCharacter === span.endCharacter;
}

export function contains(outer: LineSpan, inner: LineSpan): boolean {
  return (
    isBefore(outer.startLine, outer.startCharacter, inner.startLine, inner.startCharacter) &&
    isBefore(inner.endLine, inner.endCharacter, outer.endLine, outer.endCharacter)
  );
}

/** The smallest span that contains both. */
export function union(a: LineSpan, b: LineSpan): LineSpan {
  const aFirst = isBefore(a.startLine, a.startCharacter, b.startLine, b.startCharacter);
  const aLast = isBefore(b.endLine, b.endCharacter, a.endLine, a.endCharacter);
  const [start, end] = [aFirst ? a : b, aLast ? a : b];
  return {
    startLine: start.startLine,
    startCharacter: start.startCharacter,
    endLine: end.endLine,
    endCharacter: end.endCharacter,
  };
}

function isBefore(line: number, character: number, otherLine: number, otherCharacter: number): boolean {
  return line < otherLine || (line === otherLine && character <= otherCharacter);
}
