// The script of the page that counts the work of rendering Markdown.

import { grammars } from "../../../../src/webview/markdown/engines/grammars.ts";
import { mathEngine } from "../../../../src/webview/markdown/engines/mathEngine.ts";
import { createMarkdownTools, MarkdownStream } from "../../../../src/webview/markdown/markdownStream.ts";
import { constructs } from "../markdown/growthConstructs.ts";

const tools = createMarkdownTools(
  {
    grammars: async () => grammars,
    math: async () => mathEngine,
    diagrams: () => Promise.reject(new Error("no diagram is asked for")),
  },
  () => {},
);

// Elements and steps are counted. The layout of 100,000 elements takes longer than their creation.
document.body.hidden = true;

let source = "";
let root = document.createElement("div");

function prepare(name: string, length: number): void {
  source = constructs[name]?.(length) ?? "";
  root = document.createElement("div");
  document.body.replaceChildren(root);
}

/**
 * Renders it in pieces of this length, with code colours and formulas: later work would be counted
 * or not depending on the speed of the machine. Returns the amount of work left to the browser.
 */
async function draw(pieceLength: number): Promise<number> {
  handed = 0;
  const stream = new MarkdownStream(root, tools);
  for (let at = 0; at < source.length; at += pieceLength) {
    stream.append(source.slice(at, at + pieceLength));
    stream.draw();
  }
  stream.finish();
  await tools.highlighter.settled();
  await tools.typesetter.settled();
  return handed;
}

/** The content of the page. */
function drawn() {
  const notes = [...root.querySelectorAll(".cut-note")].map((note) => note.textContent ?? "");
  const letters = (text: string) => text.match(/[\p{L}\p{N}]/gu)?.length ?? 0;
  return {
    elements: root.getElementsByTagName("*").length,
    notes,
    written: letters(source),
    shown: letters(root.textContent ?? "") - letters(notes.join("")),
  };
}

let handed = 0;

type Method = (this: unknown, ...args: unknown[]) => unknown;

/** Counts the input of each call of a built-in function. */
function count(
  prototype: object,
  names: string,
  toCost: (self: unknown, args: readonly unknown[]) => number,
): void {
  for (const name of names.split(" ")) {
    const original = Reflect.get(prototype, name) as Method;
    const counted: Method = function (...args) {
      handed += toCost(this, args);
      return original.apply(this, args);
    };
    Reflect.set(prototype, name, counted);
  }
}

const lengthOf = (self: unknown) => String(self).length;
// A concatenated string is flattened when one of these first reads it, which takes time linear in its length.
count(
  String.prototype,
  "trim trimEnd trimStart split replace replaceAll match matchAll includes lastIndexOf",
  lengthOf,
);
count(String.prototype, "endsWith startsWith", (self, { length }) => (length === 1 ? lengthOf(self) : 1));
count(CharacterData.prototype, "appendData", (self) => (self as Text).length);
count(Element.prototype, "append replaceChildren querySelectorAll", (_, args) => args.length);
count(Node.prototype, "insertBefore appendChild", () => 1);
count(
  Array.prototype,
  "filter map some every find findLast flatMap reverse",
  (self) => (self as unknown[]).length,
);

const functions = { prepare, draw, drawn };
export type GrowthPage = typeof functions;
Object.assign(globalThis, { growth: functions });
