import type { Leaf } from "../drawing.ts";
import type { DrawContext } from "../inline/drawInline.ts";
import { createInlineText, type InlineText } from "../inline/inlineText.ts";
import { trimmedEnd } from "../inline/links.ts";
import { takeDefinitions } from "../inline/references.ts";

export interface Paragraph extends Leaf {
  readonly kind: "paragraph";
  readonly lastLine: string;
  /** True if it defines a footnote. It does so as soon as it is drawn, so it can't become another block. */
  readonly isNote: boolean;
  /** Removes its last line, which belongs to another block. */
  takeLastLine(): void;
  /** Removes the paragraph and returns its text without the definitions at its start. */
  takeAll(): string;
}

/** Longer than any label. */
const headLength = 1200;
/** A possible definition: its label is complete or may still be completed. */
const mayDefine = /^\[(?:\\.|[^\]\\]){0,999}(?:\](?::|$)|\\?$)/;

/** `isTask`: the paragraph begins a list item, where `[ ]` and `[x]` are checkboxes. */
export function createParagraph(parent: Element, context: DrawContext, isTask: boolean): Paragraph {
  const { references } = context;
  const element = document.createElement("p");
  parent.append(element);
  const shown = createShownText(element, context, isTask);
  let source = "";
  /** The last line. Finding it in the whole source would cost more the longer that gets. */
  let line = "";
  let isLineComplete = false;
  let isNote = false;

  const add = (text: string) => {
    source += text;
    shown.append(text);
  };
  const withoutDefinitions = () => {
    const text = trimmedEnd(source);
    return shown.hasBegun ? text : takeDefinitions(text, references);
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
      if (line.length === source.length) isNote = footnoteStart(source.slice(0, headLength)) !== undefined;
      isLineComplete = true;
      add("\n");
    },
    draw: shown.draw,
    takeLastLine() {
      source = trimmedEnd(source);
      source = source.slice(0, Math.max(0, source.lastIndexOf("\n")));
      shown.restart(source);
    },
    takeAll() {
      element.remove();
      return withoutDefinitions();
    },
    finish() {
      source = withoutDefinitions();
      if (source === "") element.remove();
      else shown.finish(source);
    },
  };
}

/** The text of a paragraph. A part of it is drawn; the rest waits because later text may change its meaning. */
interface ShownText {
  /** True if a part of it has been drawn. */
  readonly hasBegun: boolean;
  append(text: string): void;
  draw(): void;
  /** Begins again with this text. */
  restart(source: string): void;
  /** Draws the rest of the text, which is final. */
  finish(source: string): void;
}

function createShownText(element: HTMLElement, context: DrawContext, isTask: boolean): ShownText {
  /** The start of the text decides what kind of paragraph it is. */
  let head = "";
  /** How much of the text has been given to `inline`, and the rest of the text. */
  let given = 0;
  let fresh = "";
  let inline: InlineText | undefined;
  let nextCheck = 0;

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
  /** Up to where the text may be drawn now. The possible header of a table and a possible definition have to wait. */
  const shownEnd = () => {
    // This may be a checkbox, if a word follows.
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
    get hasBegun() {
      return given > 0;
    },
    append(text) {
      fresh += text;
      if (head.length < headLength) head += text;
    },
    draw() {
      if (fresh.length < nextCheck) return;
      give(shownEnd());
      // A long text that waits is checked again when it has grown by a quarter.
      nextCheck = fresh.length > headLength ? fresh.length * 1.25 : 0;
      inline?.draw();
    },
    restart(source) {
      element.replaceChildren();
      inline = undefined;
      given = 0;
      fresh = source;
      head = source.slice(0, headLength);
    },
    finish(source) {
      head = source.slice(0, headLength);
      fresh = source.slice(given);
      give(source.length);
      inline?.finish();
    },
  };
}

/** Reads `[^label]:` at the start of a footnote. */
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

const longHeading = 1024;

/** A heading of one line. `#` characters at its end belong to its mark. */
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
      // The end decides which characters are the mark. A long heading is checked when it has grown by a quarter.
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

/** The end of the text before the closing `#` characters, which follow a space or are all of the text. */
function textEnd(source: string): number {
  const end = trimmedEnd(source).length;
  let marks = end;
  while (source[marks - 1] === "#") marks--;
  const before = source.slice(0, marks);
  const closes = marks < end && (before === "" || /[ \t]$/.test(before));
  return closes ? trimmedEnd(before).length : end;
}
