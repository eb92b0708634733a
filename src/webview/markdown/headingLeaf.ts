import type { DrawContext } from "./drawContext.ts";
import { createInlineText } from "./inlineText.ts";
import type { Leaf } from "./leaf.ts";
import { trimmedEnd } from "./lineSyntax.ts";

const longHeading = 1024;

/** A heading of one line; `#` signs at its end belong to its mark. */
export function createHeading(parent: Element, level: number, context: DrawContext): Leaf {
  const element = document.createElement(`h${level}`);
  parent.append(element);
  const inline = createInlineText(element, context);
  let source = "";
  let given = 0;
  let nextCheck = 0;
  const give = (end: number) => {
    if (end <= given) return;
    inline.append(source.slice(given, end));
    given = end;
  };
  return {
    kind: "heading",
    append(text) {
      source += text;
    },
    endLine() {},
    draw() {
      // Its end says what belongs to its mark. A long one is looked at again when a quarter has come.
      if (source.length < nextCheck) return;
      nextCheck = source.length > longHeading ? source.length * 1.25 : 0;
      give(textEnd(source));
      inline.draw();
    },
    finish() {
      give(textEnd(source));
      inline.finish();
    },
  };
}

/** Where the text ends and the `#` signs begin that close it; they stand alone, or after a space. */
function textEnd(source: string): number {
  const end = trimmedEnd(source).length;
  let marks = end;
  while (source[marks - 1] === "#") marks--;
  const before = source.slice(0, marks);
  const closes = marks < end && (before === "" || /[ \t]$/.test(before));
  return closes ? trimmedEnd(before).length : end;
}
