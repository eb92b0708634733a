import markdownIt from "markdown-it";
import { micromark } from "micromark";
import { gfm, gfmHtml } from "micromark-extension-gfm";

/** We treat HTML as text, except `<br>`, and so do these parsers; the rest is CommonMark with GitHub's extensions. */
const it = markdownIt({ html: false });
it.validateLink = () => true;
const withoutHtml = { disable: { null: ["htmlFlow", "htmlText"] } };

export function byMarkdownIt(source: string): string {
  return withBreaks(it.render(linesOf(source)));
}

/** With all of GitHub's extensions, except one tilde, which mostly means "about". */
export function byMicromark(source: string): string {
  return withBreaks(
    micromark(linesOf(source), {
      extensions: [gfm({ singleTilde: false }), withoutHtml],
      htmlExtensions: [gfmHtml()],
      allowDangerousProtocol: true,
    }),
  );
}

function linesOf(source: string): string {
  return source.replace(/\r\n?/g, "\n");
}

function withBreaks(html: string): string {
  return html.replace(/<code.*?<\/code>|&lt;br\s*\/?&gt;/gis, (found) =>
    found.startsWith("&") ? "<br>" : found,
  );
}
