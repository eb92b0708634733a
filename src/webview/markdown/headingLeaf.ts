import { createInlineText } from "./inlineText.ts";
import type { Leaf } from "./leaf.ts";
import type { References } from "./references.ts";

/** A heading of one line; `#` signs at its end belong to its mark. */
export function createHeading(parent: Element, level: number, references: References): Leaf {
  const element = document.createElement(`h${level}`);
  parent.append(element);
  const inline = createInlineText(element, references);
  let source = "";
  let given = 0;
  const give = (end: number) => {
    if (end <= given) return;
    inline.append(source.slice(given, end));
    given = end;
  };
  const textEnd = () => source.replace(/(?:^|[ \t]+)#+[ \t]*$/, "").trimEnd().length;
  return {
    kind: "heading",
    append(text) {
      source += text;
    },
    endLine() {},
    draw() {
      give(textEnd());
      inline.draw();
    },
    finish() {
      give(textEnd());
      inline.finish();
    },
  };
}
