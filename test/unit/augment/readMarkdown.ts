import MarkdownIt from "markdown-it";

/** The text that another reader of markdown sees in a paragraph; markup that it finds shows as its tags. */
export function fromMarkdown(markdown: string): string {
  const html = new MarkdownIt({ html: true }).render(markdown).trim();
  return html
    .replace(/^<p>|<\/p>$/g, "")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&amp;", "&");
}
