import type { JSX } from "preact";
import type { AnswerSource } from "../../../shared/chat/answerSource.ts";
import { safeHref } from "../../../webview/markdown/inline/links.ts";
import { setSourceOfMark } from "../../../webview/markdown/inline/references.ts";

/** The sources of an answer, numbered like its citations. clickHandlers.ts opens them in the browser. */
export function Sources({ sources }: { readonly sources: readonly AnswerSource[] }): JSX.Element {
  return (
    <details class="sources">
      <summary>{sources.length === 1 ? "1 source" : `${sources.length} sources`}</summary>
      <ol>
        {sources.map((source, index) => (
          <li key={index}>
            <Title source={source} />
            <span class="source-facts">
              {source.date !== undefined && source.date !== "" && `${source.date} · `}
              <Site source={source} />
            </span>
            {source.stored !== undefined && source.excerpt !== undefined && (
              <span class="source-quote">{source.excerpt}</span>
            )}
          </li>
        ))}
      </ol>
    </details>
  );
}

/** The host; a link to the page itself if the title opens it as it was read. */
function Site({ source: { url, stored } }: { readonly source: AnswerSource }): JSX.Element {
  const href = safeHref(url);
  if (stored === undefined || href === undefined) return <>{siteOf(url)}</>;
  return (
    <a href={href} title={`Open ${href} in the Browser`} rel="noreferrer noopener">
      {siteOf(url)}
    </a>
  );
}

function Title({ source }: { readonly source: AnswerSource }): JSX.Element {
  const { title, url, stored } = source;
  const href = safeHref(url);
  const name = title === undefined || title.trim() === "" ? url : title;
  if (href === undefined) return <span title={url}>{name}</span>;
  return (
    <a
      href={href}
      title={stored === undefined ? href : "Open the Page as It Was Read"}
      rel="noreferrer noopener"
      ref={(link) => {
        if (link) setSourceOfMark(link, source);
      }}
    >
      {name}
    </a>
  );
}

/** The host name, by which users recognize a source. */
export function siteOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host.replace(/^www\./, "") : "";
}
