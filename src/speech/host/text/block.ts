/** Spoken text and its position in the source. */
export interface TextRun {
  readonly text: string;
  /** Source offsets in UTF-16 units; the end is exclusive. */
  readonly from: number;
  readonly to: number;
  /** The source offset of each unit, if they are not consecutive. */
  readonly offsets?: Uint32Array;
  /** Of the first run of a heading. */
  readonly isHeading?: true;
  /** The end of each unit in the source; without it, a unit of the text is one of the source. */
  readonly ends?: Uint32Array;
}

/** A paragraph, a heading or a table row. Sentences do not cross blocks. */
export type TextBlock = readonly TextRun[];
