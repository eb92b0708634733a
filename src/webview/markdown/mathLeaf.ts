import type { Leaf } from "./leaf.ts";
import type { Typesetter } from "./typesetter.ts";

export interface MathLeaf extends Leaf {
  readonly kind: "math";
  /** Its last line has come. */
  close(): void;
}

/** A formula with lines of its own. Until its end has come it is the text that it is. */
export function createMath(parent: Element, opener: string, typesetter: Typesetter): MathLeaf {
  const element = document.createElement("div");
  element.className = "math-source";
  element.tabIndex = 0;
  const text = document.createTextNode(opener);
  element.append(text);
  parent.append(element);
  let source = "";
  let drawn = 0;
  let isClosed = false;
  const draw = () => {
    if (drawn === source.length || isClosed) return;
    text.appendData(source.slice(drawn));
    drawn = source.length;
  };
  return {
    kind: "math",
    append(more) {
      source += more;
    },
    endLine() {
      source += "\n";
    },
    draw,
    close() {
      draw();
      isClosed = true;
      const closer = opener === "$$" ? "$$" : "\\]";
      const tex = source.trim();
      text.appendData(closer);
      element.className = "math math-display";
      element.dataset.tex = `${opener}\n${tex}\n${closer}`;
      if (tex !== "") typesetter.typeset(element, tex, true);
    },
    finish() {
      draw();
    },
  };
}
