// The script of the page in which markdown of all kinds is drawn, at several lengths.
import { createFarPictures } from "../../../src/webview/markdown/farPictures.ts";
import { grammars } from "../../../src/webview/markdown/grammars.ts";
import { createHighlighter } from "../../../src/webview/markdown/highlighter.ts";
import { createMarkdownStream } from "../../../src/webview/markdown/markdownStream.ts";
import { mathEngine } from "../../../src/webview/markdown/mathEngine.ts";
import { createTypesetter } from "../../../src/webview/markdown/typesetter.ts";
import type { GrowthPage } from "./drawn.ts";
import { makePage } from "./makePage.ts";

const tools = {
  highlighter: createHighlighter(async () => grammars),
  typesetter: createTypesetter(async () => mathEngine),
  pictures: createFarPictures(() => {}),
};

async function draw(source: string, pieceLength: number) {
  const { root } = makePage();
  const startMs = performance.now();
  const stream = createMarkdownStream(root, tools);
  let longestMs = 0;
  for (let at = 0; at < source.length; at += pieceLength) {
    const pieceMs = performance.now();
    stream.append(source.slice(at, at + pieceLength));
    stream.draw();
    longestMs = Math.max(longestMs, performance.now() - pieceMs);
  }
  stream.finish();
  const scriptMs = performance.now() - startMs;
  await tools.highlighter.settled();
  await tools.typesetter.settled();
  const totalMs = performance.now() - startMs;
  const result = {
    scriptMs,
    totalMs,
    longestMs,
    elements: root.getElementsByTagName("*").length,
    shown: root.textContent?.length ?? 0,
  };
  return result;
}

/** Loads what is heavy, and lets the browser learn what is drawn often. */
async function warm(source: string): Promise<void> {
  await draw(source, source.length);
  await draw(source, 64);
}

const functions: GrowthPage = { draw, warm };
Object.assign(globalThis, { growth: functions });
