import { fromMarkdown } from "mdast-util-from-markdown";
import { frontmatterFromMarkdown } from "mdast-util-frontmatter";
import { gfmFromMarkdown } from "mdast-util-gfm";
import { frontmatter } from "micromark-extension-frontmatter";
import { gfm } from "micromark-extension-gfm";
import type { TextBlock, TextRun } from "./block.ts";

type Node = ReturnType<typeof fromMarkdown> | ReturnType<typeof fromMarkdown>["children"][number] | Inline;
interface Inline {
  readonly type: string;
  readonly value?: string;
  readonly alt?: string | null;
  readonly url?: string;
  readonly children?: readonly Inline[];
  readonly position?: { readonly start: Point; readonly end: Point };
}
interface Point {
  readonly offset?: number | undefined;
}

const matter: ("yaml" | "toml")[] = ["yaml", "toml"];

/**
 * The spoken text of Markdown, without markup. Code blocks, HTML, front matter and footnote marks are omitted. An image
 * is read as its description, a bare URL as its host.
 */
export function toMarkdownBlocks(source: string): TextBlock[] {
  const tree = fromMarkdown(source, {
    extensions: [gfm(), frontmatter(matter)],
    mdastExtensions: [gfmFromMarkdown(), frontmatterFromMarkdown(matter)],
  });
  const blocks: TextBlock[] = [];
  const walk = (node: Node) => {
    const inline = node as Inline;
    if (node.type === "paragraph" || node.type === "heading") blocks.push(runsOf(inline, source));
    else if (node.type === "tableRow") blocks.push(rowOf(inline, source));
    else for (const child of inline.children ?? []) walk(child);
  };
  walk(tree);
  return blocks.filter((block) => block.length > 0);
}

/** The cells of a row, with a pause between them. */
function rowOf(row: Inline, source: string): TextRun[] {
  return (row.children ?? []).flatMap((cell, index) => {
    const runs = runsOf(cell, source);
    const before = runs[0]?.from ?? 0;
    return index === 0 || runs.length === 0 ? runs : [{ text: ", ", from: before, to: before }, ...runs];
  });
}

function runsOf(node: Inline, source: string): TextRun[] {
  const from = node.position?.start.offset ?? 0;
  const to = node.position?.end.offset ?? from;
  switch (node.type) {
    case "text":
      return [textRun(node.value ?? "", source, from, to)];
    case "inlineCode":
      return [textRun(node.value ?? "", source, from, to)];
    case "break":
      return [{ text: " ", from, to }];
    case "image":
    case "imageReference":
      return node.alt ? [textRun(node.alt, source, from, to)] : [];
    case "link":
      return isBareAddress(node) ? [{ text: hostOf(node.url ?? ""), from, to }] : childRuns(node, source);
    default:
      return childRuns(node, source);
  }
}

function childRuns(node: Inline, source: string): TextRun[] {
  return (node.children ?? []).flatMap((child) => runsOf(child, source));
}

function isBareAddress({ url = "", children = [] }: Inline): boolean {
  const [only] = children;
  return only?.type === "text" && children.length === 1 && /^https?:\/\//.test(url) && isAddress(only.value);
}

function isAddress(text = ""): boolean {
  return /^(https?:\/\/|www\.)\S+$/i.test(text);
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).hostname.replace(/^www\./, "") : url;
}

/** Source characters to search for a text character; one that is not found was written as an entity. */
const lookAhead = 40;

/** Maps each character of a text to its source, skipping escapes, entities and quote marks of lines. */
function textRun(text: string, source: string, from: number, to: number): TextRun {
  if (source.slice(from, to) === text) return { text, from, to };
  const offsets = new Uint32Array(text.length);
  let at = from;
  for (let index = 0; index < text.length; index++) {
    const found = source.indexOf(text.charAt(index), at);
    if (found >= 0 && found < Math.min(to, at + lookAhead)) at = found;
    offsets[index] = Math.min(at, Math.max(from, to - 1));
    at += 1;
  }
  return { text, from, to, offsets };
}
