import type { DrawContext } from "./drawContext.ts";
import { growText } from "./growText.ts";
import type { Leaf } from "./leaf.ts";

export interface MathLeaf extends Leaf {
  readonly kind: "math";
  /** Its last line has come. */
  close(): void;
}

/** A formula with lines of its own. Until its end has come it is the text that it is. */
export function createMath(parent: Element, opener: string, context: DrawContext): MathLeaf {
  const element = document.createElement("div");
  element.className = "math-source";
  element.tabIndex = 0;
  element.append(opener);
  parent.append(element);
  let source = "";
  let fresh = "";
  let isClosed = false;
  const draw = () => {
    if (!isClosed) growText(element, fresh);
    fresh = "";
  };
  const add = (text: string) => {
    source += text;
    fresh += text;
  };
  return {
    kind: "math",
    append: add,
    endLine: () => add("\n"),
    draw,
    close() {
      draw();
      isClosed = true;
      const closer = opener === "$$" ? "$$" : "\\]";
      const tex = source.trim();
      growText(element, closer);
      element.className = "math math-display";
      element.dataset.tex = `${opener}\n${tex}\n${closer}`;
      if (tex !== "" && context.budget.takeFormula(tex)) context.typesetter.typeset(element, tex, true);
    },
    finish() {
      draw();
    },
  };
}
