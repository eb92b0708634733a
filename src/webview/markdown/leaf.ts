import { growText } from "./growText.ts";

/** A block of text that is being written: a paragraph, a heading, code, a table. It draws itself. */
export interface Leaf {
  readonly kind: "paragraph" | "heading" | "code" | "table" | "math" | "plain";
  /** More of the line that has begun. */
  append(text: string): void;
  /** The line is complete. */
  endLine(): void;
  /** Draws what is new. */
  draw(): void;
  /** Nothing more comes. */
  finish(): void;
}

/** Text that is shown as it was written. */
export interface PlainLeaf extends Leaf {
  readonly kind: "plain";
  readonly length: number;
}

export function createPlain(parent: Element): PlainLeaf {
  const element = document.createElement("div");
  element.className = "as-written";
  element.dir = "auto";
  parent.append(element);
  let fresh = "";
  let length = 0;
  const add = (text: string) => {
    fresh += text;
    length += text.length;
  };
  const draw = () => {
    if (fresh !== "") growText(element, fresh);
    fresh = "";
  };
  return {
    kind: "plain",
    get length() {
      return length;
    },
    append: add,
    endLine: () => add("\n"),
    draw,
    finish: draw,
  };
}
