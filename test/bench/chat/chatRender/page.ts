// The script of the page in which answers are drawn: by the chat's own code, and by the ways it is measured against.
import DOMPurify from "dompurify";
import hljs from "highlight.js/lib/common";
import MarkdownIt from "markdown-it";
import { createAnswerRenderer, type Frames } from "../../../../src/chat/page/turn/answer/answerRenderer.ts";
import { grammars } from "../../../../src/webview/markdown/engines/grammars.ts";
import { mathEngine } from "../../../../src/webview/markdown/engines/mathEngine.ts";
import { createMarkdownTools } from "../../../../src/webview/markdown/markdownStream.ts";
import type { ChatRenderPage, Drawn, WayName } from "./drawn.ts";
import { makePage } from "./makePage.ts";

/** One way to draw an answer while it grows. */
interface Way {
  /** Draws the answer up to here. */
  flush(source: string, end: number): void;
}

const flushLength = 4;
const frameMs = 1000 / 60;
/** Flushes between two painted frames, in which the browser detects content outside of the viewport. */
const flushesPerPaint = 256;

const realNow = performance.now.bind(performance);
const tools = createMarkdownTools(
  {
    grammars: async () => grammars,
    math: async () => mathEngine,
    diagrams: () => Promise.reject(new Error("no diagram is asked for")),
  },
  () => {},
);

const ways: Readonly<Record<WayName, (root: HTMLElement) => Way>> = {
  ours(root) {
    let draw = () => {};
    const frames: Frames = {
      request: (asked) => {
        draw = asked;
      },
      onFlush: () => () => {},
    };
    const sink = createAnswerRenderer(root, tools, frames);
    let at = 0;
    return {
      flush(source, end) {
        sink.append(at, source.slice(at, end));
        at = end;
        draw();
        if (end === source.length) sink.sync(source, true);
      },
    };
  },
  /** A complete redraw each time, as in a chat of common libraries. */
  whole(root) {
    const reader = new MarkdownIt({ linkify: true, highlight: coloured });
    return {
      flush(source, end) {
        root.innerHTML = DOMPurify.sanitize(reader.render(source.slice(0, end)));
      },
    };
  },
  /** The floor: paragraphs of plain text that grow. */
  plain(root) {
    let at = 0;
    let text: Text | undefined;
    return {
      flush(source, end) {
        for (const [index, part] of source.slice(at, end).split("\n\n").entries()) {
          if (index > 0) text = undefined;
          if (!text) {
            text = document.createTextNode("");
            const paragraph = document.createElement("p");
            paragraph.append(text);
            root.append(paragraph);
          }
          text.appendData(part);
        }
        at = end;
      },
    };
  },
};

function coloured(code: string, language: string): string {
  return hljs.getLanguage(language) ? hljs.highlight(code, { language }).value : "";
}

async function draw(name: WayName, source: string, sampleEvery: number): Promise<Drawn> {
  const { root, scroller } = makePage();
  const way = ways[name](root);
  const flushes = Math.ceil(source.length / flushLength);
  const flushMs: number[] = [];
  for (let flush = 1; flush <= flushes; flush++) {
    if (flush % sampleEvery !== 0 && flush !== flushes) continue;
    // The page's clock advances by one frame per flush, independent of the real time.
    performance.now = () => flush * frameMs;
    const startMs = realNow();
    way.flush(source, Math.min(flush * flushLength, source.length));
    scroller.scrollTop = scroller.scrollHeight;
    flushMs.push(realNow() - startMs);
    if (flushMs.length % flushesPerPaint === 0) await painted();
  }
  performance.now = realNow;
  const drawnMs = flushMs.reduce((sum, ms) => sum + ms);
  return { totalMs: (drawnMs / flushMs.length) * flushes, flushMs, shown: root.textContent?.length ?? 0 };
}

function painted(): Promise<void> {
  return new Promise((resolve) => requestAnimationFrame(() => resolve()));
}

const functions: ChatRenderPage = { draw };
Object.assign(globalThis, { chatRender: functions });
