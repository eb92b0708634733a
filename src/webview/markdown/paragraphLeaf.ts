import type { DrawContext } from "./drawContext.ts";
import { createInlineText, type InlineText } from "./inlineText.ts";
import type { Leaf } from "./leaf.ts";
import { trimmedEnd } from "./lineSyntax.ts";
import { takeDefinitions } from "./references.ts";

export interface Paragraph extends Leaf {
  readonly kind: "paragraph";
  readonly lastLine: string;
  /** It defines a footnote, which it does as soon as it is drawn: nothing makes anything else of it. */
  readonly isNote: boolean;
  /** Removes its last line, which turned out to be something else. */
  takeLastLine(): void;
  /** Removes it, and returns its text without the definitions at its front. */
  takeAll(): string;
}

/** `isTask`: it begins a list item, where `[ ]` and `[x]` are boxes. */
export function createParagraph(parent: Element, context: DrawContext, isTask: boolean): Paragraph {
  const { references } = context;
  const element = document.createElement("p");
  parent.append(element);
  let source = "";
  let inline: InlineText | undefined;
  /** How much of the source the inline text has. */
  let given = 0;
  /** The rest: looking at the whole for every piece would cost more the longer it is. */
  let fresh = "";

  const begin = (): InlineText => {
    const box = isTask ? /^\[([ xX])\](?=\s)/.exec(source) : null;
    if (box) {
      element.append(checkbox(box[1] !== " "));
      given = box[0].length;
    }
    const note = footnoteStart(source);
    if (note) {
      context.footnotes.define(note.label, element);
      given = note.length;
    }
    return createInlineText(element, context);
  };
  /** Up to where it may be shown now: not a line that may be a table's header, nor what may be a definition. */
  const shownEnd = () => {
    // It may be a box.
    if (given === 0 && isTask && /^\[(?:[ \txX]\]?\n?)?$/.test(fresh)) return 0;
    if (given === 0 && !footnoteStart(fresh) && /^\[(?:\\.|[^\]\\])*(?:\](?::|$)|\\?$)/.test(fresh)) return 0;
    const end = trimmedEnd(fresh).length;
    const line = fresh.lastIndexOf("\n", end - 1) + 1;
    const isLineStart = line > 0 || given === 0;
    return given + (isLineStart && fresh[line] === "|" ? Math.max(0, line - 1) : end);
  };
  const give = (end: number) => {
    if (end <= given) return;
    const from = given;
    inline ??= begin();
    inline.append(fresh.slice(given - from, end - from));
    fresh = fresh.slice(end - from);
    given = end;
  };
  return {
    kind: "paragraph",
    get lastLine() {
      const text = trimmedEnd(source);
      return text.slice(text.lastIndexOf("\n") + 1);
    },
    get isNote() {
      return footnoteStart(source) !== undefined;
    },
    append(text) {
      source += text;
      fresh += text;
    },
    endLine() {
      source += "\n";
      fresh += "\n";
    },
    draw() {
      give(shownEnd());
      inline?.draw();
    },
    takeLastLine() {
      source = trimmedEnd(source);
      source = source.slice(0, Math.max(0, source.lastIndexOf("\n")));
      element.replaceChildren();
      inline = undefined;
      given = 0;
      fresh = source;
    },
    takeAll() {
      element.remove();
      return given === 0 ? takeDefinitions(trimmedEnd(source), references) : trimmedEnd(source);
    },
    finish() {
      const text = trimmedEnd(source);
      const left = given === 0 ? takeDefinitions(text, references) : text;
      if (left === "") return element.remove();
      source = left;
      fresh = left.slice(given);
      give(left.length);
      inline?.finish();
    },
  };
}

/** `[^label]:` at the front of a note. */
export function footnoteStart(text: string): { readonly label: string; readonly length: number } | undefined {
  const match = /^\[\^([^\]\s]{1,40})\]:/.exec(text);
  return match ? { label: match[1] ?? "", length: match[0].length } : undefined;
}

function checkbox(checked: boolean): HTMLInputElement {
  const box = document.createElement("input");
  box.type = "checkbox";
  box.disabled = true;
  box.checked = checked;
  box.toggleAttribute("checked", checked);
  return box;
}
