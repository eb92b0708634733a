import type { JSX } from "preact";
import type { AnswerSource } from "../../../shared/chat/answerSource.ts";
import { safeHref } from "../../../webview/markdown/inline/links.ts";

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
              {[source.date, siteOf(source.url)]
                .filter((fact) => fact !== undefined && fact !== "")
                .join(" · ")}
            </span>
          </li>
        ))}
      </ol>
    </details>
  );
}

function Title({ source: { title, url } }: { readonly source: AnswerSource }): JSX.Element {
  const href = safeHref(url);
  const name = title === undefined || title.trim() === "" ? url : title;
  if (href === undefined) return <span title={url}>{name}</span>;
  return (
    <a href={href} title={href} rel="noreferrer noopener">
      {name}
    </a>
  );
}

/** The host name, by which users recognize a source. */
export function siteOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host.replace(/^www\./, "") : "";
}
