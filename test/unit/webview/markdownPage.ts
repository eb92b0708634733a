// The script of the page in which markdown is tested.
import type { CitedSource } from "../../../src/webview/markdown/citationMarks.ts";
import { grammars } from "../../../src/webview/markdown/grammars.ts";
import { createHighlighter } from "../../../src/webview/markdown/highlighter.ts";
import { createMarkdownStream } from "../../../src/webview/markdown/markdownStream.ts";
import { mathEngine } from "../../../src/webview/markdown/mathEngine.ts";
import { createTypesetter } from "../../../src/webview/markdown/typesetter.ts";

const highlighter = createHighlighter(async () => grammars);
const typesetter = createTypesetter(async () => mathEngine);

/** Puts `pieces` on the page, drawing after each if asked to; `isWhole` ends them. Returns what the page holds then. */
async function render(pieces: readonly string[], drawEach: boolean, isWhole = true): Promise<string> {
  const root = document.createElement("div");
  document.body.replaceChildren(root);
  const stream = createMarkdownStream(root, { highlighter, typesetter });
  for (const piece of pieces) {
    stream.append(piece);
    if (drawEach) stream.draw();
  }
  if (isWhole) stream.finish();
  await highlighter.settled();
  await typesetter.settled();
  return root.innerHTML;
}

/** Draws letter by letter an answer whose sources come before or after its text. */
async function cited(
  pieces: readonly string[],
  sources: readonly CitedSource[],
  when: "before" | "after",
): Promise<string> {
  const root = document.createElement("div");
  document.body.replaceChildren(root);
  const stream = createMarkdownStream(root, { highlighter, typesetter });
  if (when === "before") stream.cite(sources);
  for (const piece of pieces) {
    stream.append(piece);
    stream.draw();
  }
  stream.finish();
  if (when === "after") stream.cite(sources);
  return root.innerHTML;
}

/** All that a reader may set off: pointing at it, focusing it, clicking it. */
function touchAll(): void {
  for (const element of document.body.querySelectorAll<HTMLElement | MathMLElement>("*")) {
    for (const type of ["mouseover", "pointerenter", "toggle", "animationstart", "load", "error"]) {
      element.dispatchEvent(new Event(type, { bubbles: true }));
    }
    element.addEventListener("click", (event) => event.preventDefault());
    element.focus();
    if (element instanceof HTMLElement) element.click();
    else element.dispatchEvent(new MouseEvent("click", { bubbles: true }));
  }
}

/** Every element of the answer as `tag attribute=value …`. */
function inventory(): {
  readonly tag: string;
  readonly attributes: readonly (readonly [string, string])[];
}[] {
  return [...document.body.querySelectorAll("*")].map((element) => ({
    tag: element.tagName.toLowerCase(),
    attributes: [...element.attributes].map(({ name, value }) => [name, value] as const),
  }));
}

const functions = { render, cited, touchAll, inventory };
export type MarkdownPage = typeof functions;
Object.assign(globalThis, { markdown: functions });
