/** A block of text that is being written: a paragraph, a heading, code, a table. It draws itself. */
export interface Leaf {
  readonly kind: "paragraph" | "heading" | "code" | "table" | "math";
  /** More of the line that has begun. */
  append(text: string): void;
  /** The line is complete. */
  endLine(): void;
  /** Draws what is new. */
  draw(): void;
  /** Nothing more comes. */
  finish(): void;
}
