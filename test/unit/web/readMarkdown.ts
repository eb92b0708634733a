import MarkdownIt from "markdown-it";

/** The text of a paragraph by another Markdown parser; markup it finds becomes tags. */
export function fromMarkdown(markdown: string): string {
  const html = new MarkdownIt({ html: true }).render(markdown).trim();
  return html
    .replace(/^<p>|<\/p>$/g, "")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&amp;", "&");
}
