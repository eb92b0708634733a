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
  /(?:^|\s)(?:lineno|linenos?|line-?numbers?|line-numbers-rows|ln-num|hljs-ln-numbers|blob-num\S*|gutter|lnt|ln|code-line-number|react-syntax-highlighter-line-number|(?:btn-)?cop(?:y|ied)(?:-[\w-]+|btn|button|code)?|clipboard-[\w-]+|tooltip(?:-?text)?)(?:\s|$)/i;
/** Lines that a style sheet draws below each other. */
const lineClass =
  /(?:^|\s)(?:line|code-?line|token-line|view-line|ec-line|hljs-ln-line|CodeMirror-line|cm-line|crayon-line|ace_line)(?:\s|$)/i;
/** The element with the lines of an editor or a highlighter that writes no `pre`. */
const holdsLines =
  /(?:^|\s)(?:syntaxhighlighter|crayon-syntax|crayon-pre|CodeMirror|CodeMirror-code|cm-content|cm-editor|monaco-editor|view-lines|ace_text-layer|ace_editor|dp-highlighter)(?:\s|$)/;
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
  lines.add(labelledCode(element) ?? element);
  const value = lines.text.replace(/\s+$/, "").replace(/^(?:[ \t]*\n)+/, "");
  return value.trim() === "" ? undefined : { type: "code", value, lang: languageOf(element) ?? null };
}

/** The code in a block that also holds the name of its language, as the head of a frame around it. */
function labelledCode(block: DominoElement): DominoElement | undefined {
  const [code, other] = elements(block.getElementsByTagName("code"));
  if (!code || other || nameOf(block) !== "pre" || nameOf(code.parentNode ?? block) === "pre")
    return undefined;
  const around = new CodeLines(code);
  around.add(block);
  const label = around.text.trim();
  return label !== "" && label.toLowerCase() === languageOf(block)?.toLowerCase() ? code : undefined;
}

/** The lines of an editor or a highlighter that draws them without `pre`. Undefined for other elements. */
export function lineBlock(element: DominoElement): Code | undefined {
  if (nameOf(element) !== "div" || !holdsLines.test(classOf(element))) return undefined;
  const lines = elements(element.getElementsByTagName("*")).filter((each) => isLine(each));
  if (lines.length === 0) return undefined;
  const value = lines.map((line) => lineText(line)).join("\n");
  const [, brush] =
    /(?:^|\s)(?:syntaxhighlighter|dp-highlighter)\s+(?:nogutter\s+)?([a-z][\w+#-]*)/.exec(classOf(element)) ??
    [];
  return value.trim() === ""
    ? undefined
    : { type: "code", value, lang: languageOf(element) ?? brush ?? null };
}

/** A line that is not a number beside one. */
function isLine(element: DominoElement): boolean {
  const isNumber = element.closest(
    ".gutter, .CodeMirror-gutter-wrapper, .cm-gutters, .crayon-nums, .crayon-num, .ace_gutter",
  );
  return lineClass.test(classOf(element)) && !isNumber && nameOf(element) !== "span";
}

function lineText(line: DominoElement): string {
  const text = new CodeLines();
  text.add(line);
  return text.text
    .replace(/[\n\u200b]+/g, "")
    .replaceAll("\u00a0", " ")
    .trimEnd();
}

/** The name of a language above the code beside it, as documentation sites draw it in a corner. */
export function isCodeLabel(element: DominoElement): boolean {
  if (!/(?:^|\s)(?:lang|code-?lang(?:uage)?|language-(?:name|label|tag))(?:\s|$)/i.test(classOf(element)))
    return false;
  return nameOf(element) === "span" && nameOf(element.nextElementSibling ?? element) === "pre";
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
  readonly #except: DominoElement | undefined;
  #text = "";
  #ends = false;

  constructor(except?: DominoElement) {
    this.#except = except;
  }

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
    if (element === this.#except) return;
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
      each.getAttribute("data-lang") ??
      each.getAttribute("data-language") ??
      each.getAttribute("data-enlighter-language") ??
      languageIn(classOf(each));
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
