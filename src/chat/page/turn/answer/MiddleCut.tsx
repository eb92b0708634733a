import type { JSX } from "preact";

/** Characters at the end that are never cut: names and calls that begin the same often differ there. */
const tailLength = 10;

/** A text on one line, with an ellipsis before its end if there is no room. */
export function MiddleCut({ text, class: given = "" }: { text: string; class?: string }): JSX.Element {
  const characters = [...text];
  return (
    <bdi class={`middle-cut ${given}`}>
      <span class="ellipsis">{characters.slice(0, -tailLength).join("")}</span>
      <span>{characters.slice(-tailLength).join("")}</span>
    </bdi>
  );
}
