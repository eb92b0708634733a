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

/** Longer than any label may be. */
const headLength = 1200;
/** What may be a definition, of which the end of the label is there, or may come. */
const mayDefine = /^\[(?:\\.|[^\]\\]){0,999}(?:\](?::|$)|\\?$)/;

/** `isTask`: it begins a list item, where `[ ]` and `[x]` are boxes. */
export function createParagraph(parent: Element, context: DrawContext, isTask: boolean): Paragraph {
  const { references } = context;
  const element = document.createElement("p");
  parent.append(element);
  let source = "";
  /** Its beginning, which says what it may be; and its last line. To look at the whole costs more the longer it is. */
  let head = "";
  let line = "";
  let isLineComplete = false;
  let isNote = false;
  let inline: InlineText | undefined;
  /** How much of the source the inline text has; and the rest. */
  let given = 0;
  let fresh = "";
  let nextCheck = 0;

  const add = (text: string) => {
    source += text;
    fresh += text;
    if (head.length < headLength) head += text;
  };
  const begin = (): InlineText => {
    const box = isTask ? /^\[([ xX])\](?=\s)/.exec(head) : null;
    if (box) {
      element.append(checkbox(box[1] !== " "));
      given = box[0].length;
    }
    const note = footnoteStart(head);
    if (note) {
      context.footnotes.define(note.label, element);
      given = note.length;
    }
    return createInlineText(element, context);
  };
  /** Up to where it may be shown now: not a line that may be a table's header, nor what may be a definition. */
  const shownEnd = () => {
    // It may be a box, if a word follows.
    if (given === 0 && isTask && /^\[(?:[ xX](?:\]\s*)?)?$/.test(head)) return 0;
    if (given === 0 && !footnoteStart(head) && mayDefine.test(head)) return 0;
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
      return trimmedEnd(line);
    },
    get isNote() {
      return isNote;
    },
    append(text) {
      if (isLineComplete) line = "";
      isLineComplete = false;
      line += text;
      add(text);
    },
    endLine() {
      if (line.length === source.length) isNote = footnoteStart(head) !== undefined;
      isLineComplete = true;
      add("\n");
    },
    draw() {
      if (fresh.length < nextCheck) return;
      give(shownEnd());
      // What waits may be long: then it is looked at again when a quarter has come.
      nextCheck = fresh.length > headLength ? fresh.length * 1.25 : 0;
      inline?.draw();
    },
    takeLastLine() {
      source = trimmedEnd(source);
      source = source.slice(0, Math.max(0, source.lastIndexOf("\n")));
      element.replaceChildren();
      inline = undefined;
      given = 0;
      fresh = source;
      head = source.slice(0, headLength);
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
      head = left.slice(0, headLength);
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
