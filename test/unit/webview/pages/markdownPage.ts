// The script of the page in which Markdown is tested.

import { jsonTree } from "../../../../src/chat/page/details/jsonTree.ts";
import { handleClick, writtenText } from "../../../../src/chat/page/store/clickHandlers.ts";
import type { AnswerSource } from "../../../../src/shared/chat/answerSource.ts";
import { codeOfButton } from "../../../../src/webview/markdown/code.ts";
import { diagramEngine } from "../../../../src/webview/markdown/engines/diagramEngine.ts";
import { grammars } from "../../../../src/webview/markdown/engines/grammars.ts";
import { mathEngine } from "../../../../src/webview/markdown/engines/mathEngine.ts";
import { noteOfButton } from "../../../../src/webview/markdown/inline/references.ts";
import { createMarkdownTools, MarkdownStream } from "../../../../src/webview/markdown/markdownStream.ts";
import type { FetchedPicture } from "../../../../src/webview/markdown/pictures.ts";

const tools = createMarkdownTools(
  {
    grammars: async () => grammars,
    math: async () => mathEngine,
    diagrams: async () => diagramEngine,
  },
  (url) => void posts.push({ type: "loadPicture", body: { url } }),
);
const { highlighter, typesetter, diagrams, pictures } = tools;

/** Puts `pieces` on the page, rendering after each on request; `isWhole` ends them. Returns the content of the page. */
async function render(pieces: readonly string[], drawEach: boolean, isWhole = true): Promise<string> {
  const root = document.createElement("div");
  root.className = "markdown";
  document.body.replaceChildren(root);
  const stream = new MarkdownStream(root, tools);
  for (const piece of pieces) {
    stream.append(piece);
    if (drawEach) stream.draw();
  }
  if (isWhole) stream.finish();
  await highlighter.settled();
  await typesetter.settled();
  return root.innerHTML;
}

/** The content of the page after each of these, as one piece. */
async function renderAll(sources: readonly string[]): Promise<string[]> {
  const htmls: string[] = [];
  for (const source of sources) htmls.push(await render([source], false));
  return htmls;
}

/**
 * The first of these ways to cut `source` into pieces, rendered after each, that ends differently from the whole. With
 * `isOpen` the end is not signalled: the output until then must be the same.
 */
async function oddCut(
  source: string,
  cuts: readonly (readonly number[])[],
  isOpen = false,
): Promise<{ readonly cut: readonly number[]; readonly html: string; readonly whole: string } | undefined> {
  const whole = await render([source], false);
  for (const cut of cuts) {
    const at = [0, ...cut, source.length];
    const pieces = at.slice(1).map((end, index) => source.slice(at[index], end));
    const html = await render(pieces, true, !isOpen);
    if (html !== whole) return { cut, html, whole };
  }
  return undefined;
}

/** Renders an answer letter by letter whose sources arrive before or after its text. */
async function cited(
  pieces: readonly string[],
  sources: readonly AnswerSource[],
  when: "before" | "after",
): Promise<string> {
  const root = document.createElement("div");
  document.body.replaceChildren(root);
  const stream = new MarkdownStream(root, tools);
  if (when === "before") stream.cite(sources);
  for (const piece of pieces) {
    stream.append(piece);
    stream.draw();
  }
  stream.finish();
  if (when === "after") stream.cite(sources);
  return root.innerHTML;
}

/** The page's requests to its host. */
const posts: { readonly type: string; readonly body: unknown }[] = [];
const drawing: Promise<void>[] = [];
document.addEventListener("click", (event) =>
  handleClick(event, {
    markdown: {
      pictures,
      diagrams: {
        toggle(button, code) {
          const drawn = diagrams.toggle(button, code);
          drawing.push(drawn);
          return drawn;
        },
      },
    },
    paths: { placeOf: () => undefined },
    bridge: { post: (type, body) => void posts.push({ type, body }) },
  }),
);

/** All interactions of a reader: hover, focus, click. Returns the requests to the host. */
async function touchAll(): Promise<typeof posts> {
  posts.length = 0;
  for (const element of document.body.querySelectorAll<HTMLElement | MathMLElement>("*")) {
    for (const type of ["mouseover", "pointerenter", "toggle", "animationstart", "load", "error"]) {
      element.dispatchEvent(new Event(type, { bubbles: true }));
    }
    element.focus();
    if (element instanceof HTMLElement) element.click();
    else element.dispatchEvent(new MouseEvent("click", { bubbles: true }));
  }
  await Promise.all(drawing.splice(0));
  for (const image of document.images) await image.decode().catch(() => undefined);
  return posts;
}

/** Shows JSON as a tree; false if it is not JSON. */
function tree(source: string): boolean {
  const made = jsonTree(source);
  document.body.replaceChildren(made ?? "");
  return made !== undefined;
}

/** The text that copying a part of the page gives. */
function copied(selector: string): string | undefined {
  const element = document.querySelector(selector);
  if (!element) return undefined;
  const range = document.createRange();
  range.selectNodeContents(element);
  return writtenText(range);
}

/** Buttons without an action of ours. */
function unknownButtons(): number {
  return [...document.querySelectorAll("button")].filter(
    (button) => !codeOfButton(button) && !noteOfButton(button) && !pictures.load(button),
  ).length;
}

/** The host's reply about a requested picture. Returns the requests of the page. */
function pictureCame(url: string, picture: FetchedPicture): typeof posts {
  pictures.came(url, picture);
  return posts;
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

const functions = {
  render,
  renderAll,
  oddCut,
  cited,
  copied,
  tree,
  touchAll,
  pictureCame,
  unknownButtons,
  inventory,
};
export type MarkdownPage = typeof functions;
Object.assign(globalThis, { markdown: functions });
