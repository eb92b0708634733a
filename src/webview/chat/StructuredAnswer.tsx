import type { JSX } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { isJson } from "../../shared/isJson.ts";
import { jsonTree } from "./jsonTree.ts";

export interface StructuredAnswerProps {
  readonly source: string;
  /** The answer as text. */
  readonly children: JSX.Element;
}

/** An answer that is JSON from its first sign to its last: a tree, with the text one click away. */
export function StructuredAnswer({ source, children }: StructuredAnswerProps): JSX.Element {
  const place = useRef<HTMLDivElement>(null);
  const [showsText, setShowsText] = useState(false);
  useLayoutEffect(() => {
    place.current?.replaceChildren(jsonTree(source) ?? "");
  }, [source, showsText]);
  return (
    <div class="structured">
      <button type="button" class="code-button" onClick={() => setShowsText(!showsText)}>
        {showsText ? "Show as tree" : "Show as text"}
      </button>
      {showsText ? children : <div ref={place} />}
    </div>
  );
}

/** Whether an answer is structured output: one object, or one list, and nothing else. */
export function isStructured(text: string): boolean {
  const bare = text.trim();
  const isWhole =
    (bare.startsWith("{") && bare.endsWith("}")) || (bare.startsWith("[") && bare.endsWith("]"));
  return isWhole && isJson(bare);
}
