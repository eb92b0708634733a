/** A part of a document. Lines and characters count from 0, the end is exclusive. */
export interface LineSpan {
  readonly startLine: number;
  readonly startCharacter: number;
  readonly endLine: number;
  readonly endCharacter: number;
}

interface Position {
  readonly line: number;
  readonly character: number;
}

/** A range of the editor as plain numbers. */
export function toLineSpan({ start, end }: { readonly start: Position; readonly end: Position }): LineSpan {
  return {
    startLine: start.line,
    startCharacter: start.character,
    endLine: end.line,
    endCharacter: end.character,
  };
}
