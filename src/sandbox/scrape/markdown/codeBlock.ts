import type { DominoElement, DominoNode } from "@mixmark-io/domino";
import type { Code } from "mdast";
import {
  childrenOf,
  classOf,
  displayOf,
  elements,
  isElement,
  isText,
  keepsLines,
  nameOf,
} from "./elements.ts";

/** Numbers beside the lines, and buttons that copy them. */
const beside =
  /(?:^|\s)(?:lineno|linenos?|line-?numbers?|line-numbers-rows|ln-num|hljs-ln-numbers|blob-num\S*|gutter|lnt|ln|code-line-number|react-syntax-highlighter-line-number|copy-?(?:btn|button|code)?)(?:\s|$)/i;
/** Lines that a style sheet draws below each other. */
const lineClass =
  /(?:^|\s)(?:line|code-?line|token-line|view-line|ec-line|hljs-ln-line|CodeMirror-line|cm-line)(?:\s|$)/i;
const languageClass =
  /(?:^|[\s-])(?:language-|lang-|highlight-(?:source-|text-)?|mw-highlight-lang-|code-block-|brush:\s*)\{?\.?([a-z0-9+#][\w+#.-]*)/i;
/** Classes beside the language in `<pre class="sourceCode python">`. */
const highlighter = /(?:^|\s)(?:sourceCode|hljs|prettyprint|highlight|codehilite|shiki|src|code)(?:\s|$)/;
const notLanguages =
  /^(?:none|nohighlight|no-?highlight|plain(?:text)?|hljs|sourceCode|prettyprint|prettyprinted|highlight|codehilite|shiki|notranslate|linenums|numberSource|numberLines|src|code|line-numbers|copyable|wrap|default|literal-block|html-basic)$/i;
const names: Readonly<Record<string, string>> = { "html-basic": "html", "js-jsx": "jsx" };

/** True for what a browser shows with its line ends, in one block. */
export function isCodeBlock(element: DominoElement): boolean {
  const name = nameOf(element);
  if (name === "pre" || name === "xmp" || name === "listing" || name === "plaintext") return true;
  if (name !== "code" || !/\n./.test(element.textContent)) return false;
  return keepsLines(element) === true || languageIn(classOf(element)) !== undefined;
}

/** A block of code, or undefined if it has no text. */
export function codeBlock(element: DominoElement): Code | undefined {
  const lines = new CodeLines();
  lines.add(element);
  const value = lines.text.replace(/\s+$/, "").replace(/^(?:[ \t]*\n)+/, "");
  return value.trim() === "" ? undefined : { type: "code", value, lang: languageOf(element) ?? null };
}

/** A table of lines, as code hosts show a file: the numbers in one column, the code in the last. */
export function codeTable(table: DominoElement): Code | undefined {
  const cells = elements(table.querySelectorAll("td.blob-code, td.hljs-ln-code, td.code-line, td.line-code"));
  if (cells.length === 0) return undefined;
  const value = cells.map((cell) => cell.textContent.replace(/[\r\n]+/g, "")).join("\n");
  return { type: "code", value, lang: languageOf(table) ?? null };
}

/** True for a cell, or a block, that holds the numbers of the lines of the code beside it. */
export function isGutter(element: DominoElement): boolean {
  return (
    /^\s*\d+(?:\s+\d+)*\s*$/.test(element.textContent) &&
    /gutter|lineno|linenos|line-num|lntd/i.test(classOf(element))
  );
}

/** The lines as they stand below each other. */
class CodeLines {
  #text = "";
  #ends = false;

  get text(): string {
    return this.#text;
  }

  add(node: DominoNode): void {
    for (const child of childrenOf(node)) {
      if (isText(child)) this.#write(child.textContent);
      else if (isElement(child)) this.#addElement(child);
    }
  }

  #addElement(element: DominoElement): void {
    const name = nameOf(element);
    if (name === "br") return void this.#write("\n");
    if (name === "button" || beside.test(classOf(element)) || displayOf(element) === "none") return;
    const isBlock = (displayOf(element) === "block" && name !== "td") || lineClass.test(classOf(element));
    if (isBlock) this.#endLine();
    this.add(element);
    if (isBlock) this.#ends = true;
  }

  /** The next text begins a line. A line end that follows a block is the end of the block. */
  #write(text: string): void {
    if (text === "") return;
    const plain = text.replace(/\r\n?/g, "\n");
    const ends = this.#ends && !this.#text.endsWith("\n") && !plain.startsWith("\n");
    this.#ends = false;
    this.#text += (ends ? "\n" : "") + plain;
  }

  #endLine(): void {
    this.#ends = this.#text !== "";
  }
}

/** The language that the element, its code or what wraps it names. */
function languageOf(element: DominoElement): string | undefined {
  const inner = nameOf(element) === "pre" ? elements(element.getElementsByTagName("code"))[0] : undefined;
  const chain = inner ? [inner, element] : [element];
  for (let parent = element.parentNode; parent && chain.length < 6; parent = parent.parentNode) {
    if (!isElement(parent) || !/^(?:div|figure|td|tr|tbody|table|span|section)$/.test(nameOf(parent))) break;
    // A wrapper of several blocks, such as an article, says nothing about one of them.
    if (elements(parent.getElementsByTagName("pre")).length > 2) break;
    chain.push(parent);
  }
  for (const each of chain) {
    const named =
      each.getAttribute("data-lang") ?? each.getAttribute("data-language") ?? languageIn(classOf(each));
    const language = named && cleanLanguage(named);
    if (language) return language;
  }
  return chain.map((each) => classBeside(classOf(each))).find(Boolean) ?? programmingLanguage(element);
}

/** `lang="ruby"`. A short one is a language of people. */
function programmingLanguage(element: DominoElement): string | undefined {
  const language = element.getAttribute("lang") ?? "";
  return /^[a-z][a-z+#]{2,}$/.test(language) ? language : undefined;
}

function languageIn(className: string): string | undefined {
  for (const [, name = ""] of className.matchAll(new RegExp(languageClass, "gi"))) {
    if (cleanLanguage(name)) return name;
  }
  return undefined;
}

function classBeside(className: string): string | undefined {
  if (!highlighter.test(className)) return undefined;
  const others = className.split(/\s+/).filter((word) => word !== "" && !notLanguages.test(word));
  return others.length === 1 && /^[a-z][a-z0-9+#]*$/.test(others[0] ?? "") ? others[0] : undefined;
}

function cleanLanguage(name: string): string | undefined {
  const known = names[name.toLowerCase()] ?? name.trim().replace(/[};,].*$/, "");
  return known === "" || notLanguages.test(known) || /\s|`/.test(known) ? undefined : known;
}
