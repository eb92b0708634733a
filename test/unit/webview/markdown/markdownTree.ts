// The script of a page without a policy that parses markup of our parser and of others, and normalises it.

const transparent = "div, tbody, span.segment, span.text-run, span.cite, span.footnote-ref, [class^=hl-]";
const blocks = new Set(
  "p h1 h2 h3 h4 h5 h6 hr pre blockquote ul ol li table thead tr th td tight".split(" "),
);
/** Elements in which white space between children has no meaning. */
const holders = "body, div, blockquote, ul, ol, li, table, thead, tbody, tr";

/** The elements of markup as one text, equal for all parsers: without wrappers, titles and variants of addresses. */
function treeOf(html: string): string {
  const { body } = new DOMParser().parseFromString(html.replace(/<br ?\/?>\n?/g, "<br>"), "text/html");
  return childrenOf(body);
}

function childrenOf(element: Element): string {
  const isHolder = element.matches(holders);
  let out = "";
  let run = "";
  const endRun = () => {
    const text = trimmed(run);
    run = "";
    if (text !== "") out += isHolder ? block("tight", text) : text;
  };
  for (const child of element.childNodes) {
    const text = drawn(child);
    if (isHolder && (isBlock(child) || /^<\w+ ?[^>]*>\n?/.exec(text)?.[0].endsWith("\n"))) {
      endRun();
      out += text;
    } else {
      run += text;
    }
  }
  if (!isHolder) return out + run;
  endRun();
  return out;
}

/** Without insignificant white space; other white space is text. */
function trimmed(text: string): string {
  return text.replace(/^[ \t\n]+|[ \t\n]+$|[ \t]+(?=\n|<br>)/g, "");
}

function isBlock(node: Node): boolean {
  return node instanceof Element && (blocks.has(node.localName) || node.matches("div"));
}

function block(name: string, content: string): string {
  return `<${name}>\n${content.replace(/^(?=.)/gm, "  ")}${content.endsWith("\n") || content === "" ? "" : "\n"}`;
}

function drawn(node: Node): string {
  if (node instanceof Text) return node.data.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
  if (!(node instanceof Element)) return "";
  if (node.matches(".code-frame")) return code(node, node.querySelector(".code-language")?.textContent ?? "");
  if (node.matches("pre"))
    return code(node, node.querySelector("code")?.className.replace(/^language-/, "") ?? "");
  if (node.matches("[data-tex]")) return `<formula ${node.getAttribute("data-tex")}>`;
  if (node.matches("img, .far-picture, .image-link")) return picture(node);
  if (node.matches("a, span[title], span:not([class])")) return link(node);
  if (node.matches(transparent)) return childrenOf(node);
  const content = childrenOf(node);
  if (!blocks.has(node.localName)) return inline(node, content);
  if (node.matches("p") && node.parentElement?.parentElement?.closest("ul, ol")?.matches(".tight")) {
    if (node.parentElement.localName === "li") return content === "" ? "" : block("tight", trimmed(content));
  }
  return block(nameOf(node), node.matches(holders) ? content : trimmed(content));
}

function nameOf(node: Element): string {
  const align = /align-(\w+)|text-align: ?(\w+)/.exec(`${node.className} ${node.getAttribute("style")}`);
  const start = node.localName === "ol" ? node.getAttribute("start") : undefined;
  const alignment = node.getAttribute("align") ?? align?.[1] ?? align?.[2];
  return [node.localName, start ?? (node.localName === "ol" ? "1" : ""), alignment ?? ""]
    .filter((part) => part !== "")
    .join(" ");
}

function inline(node: Element, content: string): string {
  // White space in code is shown as one space.
  if (node.localName === "code") return `<code>${content.replace(/[ \t\n]+/g, " ")}</code>`;
  if (node.localName === "br") return "<br>";
  if (node.localName === "input") return node.hasAttribute("checked") ? "<box x>" : "<box>";
  return `<${node.localName}>${content}</${node.localName}>`;
}

function code(node: Element, language: string): string {
  const text = (node.querySelector("code")?.textContent ?? "").replace(
    node.matches("pre") ? /\n$/ : /$^/,
    "",
  );
  return block(`pre ${/^[^\s{,:]*/.exec(language)?.[0]}`, JSON.stringify(text));
}

function link(node: Element): string {
  const target = node.getAttribute("href") ?? node.getAttribute("title") ?? "";
  // A link without a target is text.
  if (/^https?:/i.test(target) && !URL.canParse(target)) return childrenOf(node);
  return `<a ${address(target)}>${childrenOf(node)}</a>`;
}

function picture(node: Element): string {
  const far = node.querySelector("button");
  const target = node.getAttribute("src") ?? far?.title ?? node.getAttribute("title") ?? "";
  const name = node.getAttribute("alt") ?? node.getAttribute("data-name") ?? node.textContent ?? "";
  return `<img ${address(target)} ${name || "image"}>`;
}

/** Whatever its escaping. */
function address(written: string): string {
  const target = URL.canParse(written) ? new URL(written).href : written;
  try {
    return encodeURI(decodeURI(target)).replaceAll("%5B", "[").replaceAll("%5D", "]");
  } catch {
    return encodeURI(target).replaceAll("%25", "%");
  }
}

const functions = { treesOf: (htmls: readonly string[]) => htmls.map(treeOf) };
export type MarkdownTreePage = typeof functions;
Object.assign(globalThis, { trees: functions });
