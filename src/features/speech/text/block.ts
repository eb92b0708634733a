/** Text that is spoken, and where it stands in its source. */
export interface TextRun {
  readonly text: string;
  /** Source offsets in UTF-16 units; the end is not part of it. */
  readonly from: number;
  readonly to: number;
  /** The source offset of each unit of the text, where they do not simply follow each other. */
  readonly offsets?: Uint32Array;
}

/** A paragraph, a heading, a row of a table: no sentence reaches from one block into the next. */
export type TextBlock = readonly TextRun[];
