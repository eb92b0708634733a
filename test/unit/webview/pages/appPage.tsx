// The script of the page in which the whole chat page is tested: its host is the real one, behind `reportHost`.
import { render } from "preact";
import { ChatApp } from "../../../../src/chat/page/App.tsx";
import type { PageState } from "../../../../src/chat/page/store/bridge.ts";
import { createChatDeps } from "../../../../src/chat/page/store/chatDeps.ts";
import type { ToHost } from "../../../../src/chat/protocol/chatProtocol.ts";
import { grammars } from "../../../../src/webview/markdown/engines/grammars.ts";
import type { AppPage } from "./appPageHandle.ts";

declare const reportHost: (message: ToHost) => void;

let state: PageState = {};
Object.assign(window, {
  acquireVsCodeApi: () => ({
    postMessage: (message: ToHost) => reportHost(message),
    getState: () => state,
    setState: (next: PageState) => {
      state = next;
    },
  }),
});
const deps = createChatDeps({
  grammars: async () => grammars,
  diagrams: () => Promise.reject(new Error("no diagram is asked for")),
  // Formulas stay text here.
  math: () => Promise.resolve({ toElement: () => ({ problem: "Formulas are not set on this page." }) }),
});

const scroller = () => document.querySelector(".scroller");

/** Its middle can be hit, and it does not stand out of the page sideways, once it was scrolled to as the focus does. */
function isReached(element: HTMLElement): boolean {
  element.scrollIntoView({ block: "nearest" });
  const { left, right, top, bottom } = element.getBoundingClientRect();
  const [x, y] = [(left + right) / 2, (Math.max(top, 0) + Math.min(bottom, innerHeight)) / 2];
  const hit = document.elementFromPoint(x, y);
  return left >= 0 && right <= innerWidth && hit !== null && (element.contains(hit) || hit.contains(element));
}

const page: AppPage = {
  start() {
    render(<ChatApp deps={deps} />, document.body);
    deps.bridge.post("ready", {});
  },
  showHistory: () => deps.history.show(),
  handle: (message) => window.postMessage(message),
  text: () => [...document.querySelectorAll(".answer .markdown")].at(-1)?.textContent ?? "",
  belowEnd() {
    const { scrollHeight = 0, scrollTop = 0, clientHeight = 0 } = scroller() ?? {};
    return scrollHeight - scrollTop - clientHeight;
  },
  aboveTop: () => scroller()?.scrollTop ?? 0,
  isOverflowing: () => (scroller()?.scrollHeight ?? 0) > (scroller()?.clientHeight ?? 0) + 100,
  sides(selector) {
    const element = document.querySelector(selector);
    if (!element) return [];
    const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    const sides: ("left" | "right")[] = [];
    for (let node = texts.nextNode(); node; node = texts.nextNode()) {
      const block = node.parentElement?.getBoundingClientRect();
      for (const { index, 0: line } of (node.textContent ?? "").matchAll(/[^\n]+/g)) {
        const range = document.createRange();
        range.setStart(node, index);
        range.setEnd(node, index + line.length);
        const { left, right } = range.getBoundingClientRect();
        if (block) sides.push(left - block.left < block.right - right ? "left" : "right");
      }
    }
    return sides;
  },
  unreachable: (selector) =>
    [...document.querySelectorAll<HTMLElement>(selector)]
      .filter((element) => !isReached(element))
      .map((element) => element.getAttribute("aria-label") ?? element.textContent ?? element.tagName),
  spread(selector) {
    const middles = [...document.querySelectorAll(selector)].flatMap((element) => {
      const { top, bottom, height } = element.getBoundingClientRect();
      return height === 0 || getComputedStyle(element).position === "absolute" ? [] : [(top + bottom) / 2];
    });
    return Math.max(...middles) - Math.min(...middles);
  },
  isCovered(selector) {
    const element = document.querySelector(selector);
    const { left = 0, top = 0, height = 0 } = element?.getBoundingClientRect() ?? {};
    return element?.contains(document.elementFromPoint(left + 8, top + height / 2)) !== true;
  },
  bidi: (element) => getComputedStyle(element as Element).unicodeBidi,
  focused: () => document.activeElement?.getAttribute("aria-label") ?? null,
  value: (selector) => document.querySelector<HTMLTextAreaElement>(selector)?.value,
  match() {
    const [range] = CSS.highlights.get("find-current") ?? [];
    const frame = scroller()?.getBoundingClientRect();
    if (!(range instanceof Range) || !frame) return undefined;
    const { top, bottom } = range.getBoundingClientRect();
    return top >= frame.top && bottom <= frame.bottom && bottom > top ? range.toString() : undefined;
  },
  press(name) {
    const buttons = [...document.querySelectorAll<HTMLElement>("button")];
    buttons.find(({ textContent }) => textContent === name)?.click();
  },
};
Object.assign(window, { appPage: page });
