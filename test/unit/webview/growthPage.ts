// The script of the page in which it is counted what drawing markdown takes.

import { grammars } from "../../../src/webview/markdown/grammars.ts";
import { createMarkdownStream, createMarkdownTools } from "../../../src/webview/markdown/markdownStream.ts";
import { mathEngine } from "../../../src/webview/markdown/mathEngine.ts";
import { constructs } from "./growthConstructs.ts";

const tools = createMarkdownTools(
  {
    grammars: async () => grammars,
    math: async () => mathEngine,
    diagrams: () => Promise.reject(new Error("no diagram is asked for")),
  },
  () => {},
);

// What is counted are elements and steps. To lay out 100,000 elements takes longer than to make them.
document.body.hidden = true;

let source = "";
let root = document.createElement("div");

function prepare(name: string, length: number): void {
  source = constructs[name]?.(length) ?? "";
  root = document.createElement("div");
  document.body.replaceChildren(root);
}

/**
 * Draws it, as if it came in pieces of this length, and colours and sets what is in it: what goes on afterwards would be
 * counted or not as the machine is fast or slow. Returns how much was handed to what the browser itself does.
 */
async function draw(pieceLength: number): Promise<number> {
  handed = 0;
  const stream = createMarkdownStream(root, tools);
  for (let at = 0; at < source.length; at += pieceLength) {
    stream.append(source.slice(at, at + pieceLength));
    stream.draw();
  }
  stream.finish();
  await tools.highlighter.settled();
  await tools.typesetter.settled();
  return handed;
}

/** What is on the page. */
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

/** Counts what a built-in function is given each time. */
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
// A text that has grown is put together when one of these first looks at it, which costs all of its length.
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
