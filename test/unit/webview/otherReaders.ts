import markdownIt from "markdown-it";
import { micromark } from "micromark";
import { gfm, gfmHtml } from "micromark-extension-gfm";

/** HTML is text for us, but for `<br>`. So it is for these readers; the rest is CommonMark, and GitHub's dialect. */
const it = markdownIt({ html: false });
it.validateLink = () => true;
const withoutHtml = { disable: { null: ["htmlFlow", "htmlText"] } };

export function byMarkdownIt(source: string): string {
  return withBreaks(it.render(linesOf(source)));
}

/** With all of GitHub's extensions; one tilde is "about" more often than it is a mark. */
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
