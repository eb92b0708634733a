import { createDocument, type DominoElement, type DominoNode } from "@mixmark-io/domino";
import type { BlockContent, PhrasingContent, RootContent } from "mdast";
import { codeBlock, isCodeBlock, isCodeLabel, lineBlock } from "./codeBlock.ts";
import {
  childrenOf,
  classOf,
  displayOf,
  elements,
  isElement,
  isText,
  keepsLines,
  laysOutChildren,
  nameOf,
} from "./elements.ts";
import { formulaOf } from "./formula.ts";
import { definitionList, listBlocks } from "./lists.ts";
import { type Mark, type Piece, toParagraphs } from "./phrasing.ts";
import { emojiOf, followsItself, lonePicture, pictureFile, standsIn } from "./pictures.ts";
import type { BlockReader, Scope } from "./scope.ts";
import { isRoleTable, tableBlocks } from "./tables.ts";

/** Resolves the address of a link or a picture; undefined for one that is not of the web. */
export type Resolve = (address: string) => string | undefined;

const start: Scope = { marks: [], isCode: false, keepsLines: false };
const symbol = /^[\s#¶§🔗⚓∞⌗]*$/u;

/** Turns elements into the blocks of Markdown, as a browser would lay them out. */
export class Flow implements BlockReader {
  readonly #resolve: Resolve;
  readonly #blocks: RootContent[] = [];
  #run: Piece[] = [];
  #marks = 0;
  #lastPicture = "";

  constructor(resolve: Resolve) {
    this.#resolve = resolve;
  }

  blocksIn(node: DominoNode, scope: Scope = start): RootContent[] {
    return this.blocksOf([...childrenOf(node)], scope);
  }

  blocksOf(nodes: readonly DominoNode[], scope: Scope = start): RootContent[] {
    const inner = new Flow(this.#resolve);
    for (const node of nodes) inner.#add(node, scope);
    inner.#endRun();
    return inner.#blocks;
  }

  #addAll(node: DominoNode, scope: Scope): void {
    for (const child of childrenOf(node)) this.#add(child, scope);
  }

  #add(node: DominoNode, scope: Scope): void {
    if (isText(node)) return void this.#addText(node.textContent, scope);
    if (!isElement(node)) return;
    if (this.#addObject(node, scope)) return;
    const display = displayOf(node);
    if (display === "none" || isCodeLabel(node)) return;
    const style = keepsLines(node);
    const inner = style === undefined ? scope : { ...scope, keepsLines: style };
    if (this.#addSpecial(node, inner)) return;
    if (display === "inline") this.#addInline(node, inner);
    else this.#addBlock(node, inner);
  }

  /** Text is shown as it is, without soft hyphens. */
  #addText(text: string, { marks, isCode, keepsLines: lines }: Scope): void {
    const plain = text.replaceAll("\u00ad", "");
    const parts = lines ? plain.split(/\r\n?|\n/) : [plain];
    for (const [index, part] of parts.entries()) {
      if (index > 0) this.#run.push({ kind: "break" });
      if (part !== "") this.#run.push({ kind: "text", text: part, marks, ...(isCode ? { isCode } : {}) });
    }
  }

  /** What is no text: pictures, formulas, other pages. True if the element was one. */
  #addObject(element: DominoElement, scope: Scope): boolean {
    const formula = formulaOf(element);
    if (formula) {
      this.#addFormula(formula.tex, formula.isBlock, scope);
      return true;
    }
    const add = this.#objects[nameOf(element)];
    if (!add || element.hasAttribute("hidden")) return false;
    add(element, scope);
    return true;
  }

  readonly #objects: Readonly<Record<string, (element: DominoElement, scope: Scope) => void>> = {
    br: () => void this.#run.push({ kind: "break" }),
    img: (element, scope) => this.#addPicture(element, scope),
    "amp-img": (element, scope) => this.#addPicture(element, scope),
    noscript: (element, scope) => this.#addNoscript(element, scope),
    iframe: (element, scope) => this.#addFrame(element, scope),
    frame: (element, scope) => this.#addFrame(element, scope),
    embed: (element, scope) => this.#addFrame(element, scope),
    video: (element, scope) => this.#addMedia(element, scope),
    audio: (element, scope) => this.#addMedia(element, scope),
    svg: (element, scope) => this.#addDrawing(element, scope),
    object: (element, scope) => this.#addObjectElement(element, scope),
  };

  /** Elements that Markdown has a form for. True if the element was one. */
  #addSpecial(element: DominoElement, scope: Scope): boolean {
    const name = nameOf(element);
    const level = headingLevel(element, name);
    if (level > 0) this.#addHeading(element, level, scope);
    else if (isCodeBlock(element) && codeBlock(element)) this.#endWith(() => [codeBlock(element)]);
    else if (isRoleTable(element)) this.#endWith(() => tableBlocks(element, this, scope));
    else if (this.#special[name]) this.#special[name](element, scope);
    else if (!this.#addLines(element)) return false;
    return true;
  }

  #addLines(element: DominoElement): boolean {
    const lines = lineBlock(element);
    if (lines) this.#endWith(() => [lines]);
    return lines !== undefined;
  }

  readonly #special: Readonly<Record<string, (element: DominoElement, scope: Scope) => void>> = {
    hr: () => this.#endWith(() => [{ type: "thematicBreak" }]),
    ul: (element, scope) => this.#endWith(() => listBlocks(element, this, scope)),
    ol: (element, scope) => this.#endWith(() => listBlocks(element, this, scope)),
    menu: (element, scope) => this.#endWith(() => listBlocks(element, this, scope)),
    dir: (element, scope) => this.#endWith(() => listBlocks(element, this, scope)),
    dl: (element, scope) => this.#endWith(() => definitionList(element, this, scope)),
    table: (element, scope) => this.#endWith(() => tableBlocks(element, this, scope)),
    blockquote: (element, scope) =>
      this.#endWith(() => {
        const children = this.blocksIn(element, scope) as BlockContent[];
        return children.length > 0 ? [{ type: "blockquote", children }] : [];
      }),
    a: (element, scope) => this.#addLink(element, scope),
    picture: (element, scope) => {
      const source = lonePicture(element);
      if (source) this.#addPicture(source, scope);
      else this.#addAll(element, scope);
    },
    button: (element, scope) => {
      // The head of what it opens is text; other buttons are none.
      if (element.closest("h1, h2, h3, h4, h5, h6, dt, summary")) this.#addAll(element, scope);
    },
    summary: (element, scope) => {
      this.#endRun();
      const isHeading = Boolean(element.querySelector("h1, h2, h3, h4, h5, h6"));
      this.#addAll(element, isHeading ? scope : this.#with(scope, "strong"));
      this.#endRun();
    },
    q: (element, scope) => {
      this.#addText("“", scope);
      this.#addAll(element, scope);
      this.#addText("”", scope);
    },
    // Its own parentheses are shown by browsers that can't put it above the text.
    rt: (element, scope) => {
      this.#addText("(", scope);
      this.#addAll(element, scope);
      this.#addText(")", scope);
    },
  };

  #addBlock(element: DominoElement, outer: Scope): void {
    const scope = code.has(nameOf(element)) ? { ...outer, isCode: true } : outer;
    this.#endRun();
    if (laysOutChildren(element)) {
      for (const child of childrenOf(element)) {
        this.#add(child, scope);
        if (isElement(child)) this.#endRun();
      }
    } else this.#addAll(element, scope);
    this.#endRun();
  }

  #addInline(element: DominoElement, scope: Scope): void {
    const name = nameOf(element);
    if (code.has(name)) return void this.#addAll(element, { ...scope, isCode: true });
    if (name === "sup" || name === "sub") return void this.#addRaised(element, name, scope);
    const type = markOf(name, element);
    this.#addAll(element, type && !scope.isCode ? this.#with(scope, type) : scope);
  }

  #with(scope: Scope, type: "strong" | "emphasis" | "delete"): Scope {
    if (scope.marks.some((mark) => mark.type === type)) return scope;
    return { ...scope, marks: [...scope.marks, { type, id: type }] };
  }

  /** Raised text stays apart from what is before it: 10⁶ is not 106. A link in it is apart already. */
  #addRaised(element: DominoElement, name: "sup" | "sub", scope: Scope): void {
    const isLink =
      Boolean(element.querySelector("a[href]")) || scope.marks.some(({ type }) => type === "link");
    if (scope.isCode || isLink) return void this.#addAll(element, scope);
    this.#marks += 1;
    const mark: Mark = { type: "html", id: `${name}${this.#marks}`, name };
    this.#addAll(element, { ...scope, marks: [...scope.marks, mark] });
  }

  #addLink(element: DominoElement, scope: Scope): void {
    const address = (element.getAttribute("href") ?? "").trim();
    const heading = element.closest("h1, h2, h3, h4, h5, h6");
    const isInPage = address.startsWith("#");
    // Links of headings to themselves.
    if (heading && isPermalink(element, isInPage)) return;
    const url =
      address === "" || address === "#" || (heading && isInPage) ? undefined : this.#resolve(address);
    if (url === undefined) return void this.#addAll(element, scope);
    this.#marks += 1;
    const title = element.getAttribute("title");
    const isNew = title !== null && title.trim() !== "" && title.trim() !== element.textContent.trim();
    const mark: Mark = {
      type: "link",
      id: `link${this.#marks}`,
      url,
      title: isNew ? title.replace(/\s+/g, " ").trim() : null,
    };
    const inner = { ...scope, marks: [...scope.marks, mark] };
    const length = this.#run.length;
    const blocks = this.#blocks.length;
    if (displayOf(element) === "block") this.#addBlock(element, inner);
    else this.#addAll(element, inner);
    const isEmpty = this.#blocks.length === blocks && this.#run.slice(length).every(isBlank);
    const label =
      element.getAttribute("aria-label") ??
      element.querySelector("svg title")?.textContent ??
      element.querySelector("img[alt]")?.getAttribute("alt");
    if (isEmpty && label) this.#addText(label.trim(), inner);
  }

  #addHeading(element: DominoElement, depth: number, scope: Scope): void {
    this.#endRun();
    const blocks = this.blocksIn(element, scope);
    // A heading is one line. What can't be in it follows it.
    const children = blocks.flatMap((block, index): PhrasingContent[] => {
      if (block.type !== "paragraph") return [];
      const text = block.children.map(
        (child): PhrasingContent => (child.type === "break" ? { type: "text", value: " " } : child),
      );
      return index > 0 ? [{ type: "text", value: " " }, ...text] : text;
    });
    if (children.length > 0) this.#blocks.push({ type: "heading", depth: depth as 1, children });
    this.#blocks.push(...blocks.filter(({ type }) => type !== "paragraph"));
  }

  #addPicture(image: DominoElement, scope: Scope): void {
    if ((displayOf(image) === "none" && nameOf(image) === "img") || followsItself(image)) return;
    const symbolText = emojiOf(image);
    if (symbolText !== undefined) return void this.#addText(symbolText, scope);
    const file = pictureFile(image);
    const url = file === undefined ? undefined : this.#resolve(file.trim());
    if (url === undefined) return;
    this.#lastPicture = url;
    const alt = (image.getAttribute("alt") ?? "").replace(/\s+/g, " ").trim();
    const title = image.getAttribute("title")?.replace(/\s+/g, " ").trim() || null;
    this.#run.push({ kind: "node", node: { type: "image", url, alt, title }, marks: scope.marks });
  }

  /** A browser with scripts shows none of it. Only the picture that a script would load is meant for all readers. */
  #addNoscript(element: DominoElement, scope: Scope): void {
    const before = element.previousElementSibling;
    const images = elements(element.getElementsByTagName("img"));
    if (images.length === 0 || element.textContent.trim() !== "") return;
    for (const image of images) {
      const file = pictureFile(image);
      const url = file === undefined ? undefined : this.#resolve(file);
      if (
        url !== undefined &&
        url !== this.#lastPicture &&
        (!before || standsIn(before) || !before.querySelector("img"))
      )
        this.#addPicture(image, scope);
    }
  }

  /** Another page within the page is a link to it. */
  #addFrame(frame: DominoElement, scope: Scope): void {
    if (displayOf(frame) === "none" && frame.hasAttribute("hidden")) return;
    const own = frame.getAttribute("srcdoc");
    if (own !== null) {
      const { body } = createDocument(own, true);
      this.#endRun();
      if (body) this.#addAll(body, scope);
      return void this.#endRun();
    }
    const isSeen =
      !/^[01](?:px)?$/.test(frame.getAttribute("width") ?? "") &&
      !/display\s*:\s*none|visibility\s*:\s*hidden/i.test(frame.getAttribute("style") ?? "");
    const file = (frame.getAttribute("src") ?? frame.getAttribute("data-src") ?? "").trim();
    if (!isSeen || file === "" || file.startsWith("about:")) return;
    this.#addLinkTo(file, frame.getAttribute("title") ?? frame.getAttribute("name") ?? "", scope);
  }

  /** The words in a drawing. Each is placed by itself. */
  #addDrawing(svg: DominoElement, scope: Scope): void {
    if (/display\s*:\s*none|visibility\s*:\s*hidden/i.test(svg.getAttribute("style") ?? "")) return;
    for (const part of elements(svg.getElementsByTagName("*"))) {
      if (
        !/^(?:text|foreignobject)$/.test(nameOf(part)) ||
        part.closest("defs, symbol, [hidden]") ||
        displayOf(part) === "none"
      )
        continue;
      this.#addText(" ", scope);
      this.#addAll(part, scope);
      this.#addText(" ", scope);
    }
  }

  /** A file that browsers show within the page, or its replacement. */
  #addObjectElement(object: DominoElement, scope: Scope): void {
    const file = (object.getAttribute("data") ?? "").trim();
    const type = object.getAttribute("type") ?? "";
    if (file === "") return void this.#addAll(object, scope);
    if (/^image\//.test(type) || /\.(?:svg|png|jpe?g|gif|webp)(?:[?#]|$)/i.test(file)) {
      const url = this.#resolve(file);
      const alt = (object.getAttribute("aria-label") ?? object.textContent).replace(/\s+/g, " ").trim();
      if (url !== undefined)
        this.#run.push({ kind: "node", node: { type: "image", url, alt }, marks: scope.marks });
      return;
    }
    const title = object.getAttribute("title") ?? object.getAttribute("aria-label") ?? "";
    this.#addLinkTo(file, title, scope);
  }

  #addMedia(media: DominoElement, scope: Scope): void {
    if (media.hasAttribute("autoplay") && media.hasAttribute("muted")) return;
    const source = media.querySelector("source[src]")?.getAttribute("src");
    const file = media.getAttribute("src") ?? source ?? "";
    if (file !== "")
      this.#addLinkTo(file, media.getAttribute("title") ?? media.getAttribute("aria-label") ?? "", scope);
  }

  #addLinkTo(file: string, title: string, scope: Scope): void {
    const url = this.#resolve(file);
    if (url === undefined) return;
    this.#endRun();
    this.#addText(title.trim() || url, { ...scope, marks: [{ type: "link", id: url, url, title: null }] });
    this.#endRun();
  }

  #addFormula(tex: string, isBlock: boolean, scope: Scope): void {
    if (tex === "") return;
    const line = tex.replace(/\s+/g, " ");
    if (isBlock)
      return void this.#endWith(() => [{ type: "html", value: `$$\n${tex.replace(/\n\s*\n/g, "\n")}\n$$` }]);
    this.#run.push({ kind: "node", node: { type: "html", value: `$${line}$` }, marks: scope.marks });
  }

  #endWith(make: () => readonly (RootContent | undefined)[]): void {
    this.#endRun();
    this.#blocks.push(...make().filter((block) => block !== undefined));
  }

  #endRun(): void {
    const run = this.#run;
    if (run.length === 0) return;
    this.#run = [];
    for (const children of toParagraphs(run)) this.#blocks.push({ type: "paragraph", children });
  }
}

const code = new Set(["code", "kbd", "samp", "tt"]);

function markOf(name: string, element: DominoElement): "strong" | "emphasis" | "delete" | undefined {
  const style = element.getAttribute("style") ?? "";
  if (name === "strong" || name === "b")
    return /font-weight\s*:\s*(?:normal|[1-4]00)/i.test(style) ? undefined : "strong";
  if (name === "em" || name === "i") return "emphasis";
  if (name === "del" || name === "s" || name === "strike") return "delete";
  if (/font-weight\s*:\s*(?:bold|[6-9]00)/i.test(style)) return "strong";
  if (/font-style\s*:\s*(?:italic|oblique)/i.test(style)) return "emphasis";
  if (/text-decoration(?:-line)?\s*:[^;]*line-through/i.test(style)) return "delete";
  return undefined;
}

function headingLevel(element: DominoElement, name: string): number {
  const [, level] = /^h([1-6])$/.exec(name) ?? [];
  if (level !== undefined) return Number(level);
  if (element.getAttribute("role") !== "heading") return 0;
  const given = Number(element.getAttribute("aria-level") ?? "2");
  return Number.isInteger(given) && given > 0 ? Math.min(given, 6) : 2;
}

function isPermalink(element: DominoElement, isInPage: boolean): boolean {
  const isNamed = /header-?link|anchor|permalink|hash-link|direct-link/i.test(classOf(element));
  if (!isInPage && !isNamed) return false;
  return symbol.test(element.textContent) || (isNamed && element.textContent.trim().length <= 1);
}

function isBlank(piece: Piece): boolean {
  return piece.kind === "text" ? piece.text.trim() === "" : piece.kind === "break";
}
