// The script of the page in which markdown of all kinds is drawn, at several lengths.

import { grammars } from "../../../../src/webview/markdown/engines/grammars.ts";
import { mathEngine } from "../../../../src/webview/markdown/engines/mathEngine.ts";
import { createMarkdownTools, MarkdownStream } from "../../../../src/webview/markdown/markdownStream.ts";
import { constructs } from "../../../unit/webview/markdown/growthConstructs.ts";
import type { Grown, GrowthPage } from "./drawn.ts";
import { makePage } from "./makePage.ts";

const tools = createMarkdownTools(
  {
    grammars: async () => grammars,
    math: async () => mathEngine,
    diagrams: () => Promise.reject(new Error("no diagram is asked for")),
  },
  () => {},
);

let source = "";
let root = document.body;

function prepare(name: string, length: number): void {
  source = constructs[name]?.(length) ?? "";
  root = makePage().root;
  // Layout is measured separately.
  root.style.display = "none";
}

function draw(pieceLength = source.length): void {
  const stream = new MarkdownStream(root, tools);
  for (let at = 0; at < source.length; at += pieceLength) {
    stream.append(source.slice(at, at + pieceLength));
    stream.draw();
  }
  stream.finish();
}

async function settle(): Promise<Grown> {
  await tools.highlighter.settled();
  await tools.typesetter.settled();
  return {
    length: source.length,
    shown: root.textContent?.length ?? 0,
    elements: root.getElementsByTagName("*").length,
  };
}

const functions: GrowthPage = { names: () => Object.keys(constructs), prepare, draw, layOut, settle };
Object.assign(globalThis, { growth: functions });

/** As the browser does before the first frame. */
function layOut(): number {
  root.style.display = "";
  return root.offsetHeight;
}
