import type { JSX } from "preact";

/** Characters at the beginning that are never cut, so that a row says what it is about. */
const uncutHead = 3;
/** Characters at the end that are never cut: names and calls that begin the same often differ there. */
const [fewest, most] = [10, 16];

/**
 * A text on one line, with an ellipsis before its end if there is no room. Its end begins with a whole word. Its parts are
 * boxes, which the name of what it stands in would separate by blanks, so that it has its text once more as its label.
 */
export function MiddleCut(props: { text: string; class?: string; tail?: number }): JSX.Element {
  const { text, class: given = "" } = props;
  const characters = [...text];
  const tail = props.tail ?? tailLength(characters);
  const middle = characters.slice(uncutHead, -tail).join("");
  return (
    <bdi class={`middle-cut ${given}`} role="img" aria-label={text}>
      <span>{characters.slice(0, Math.max(0, Math.min(uncutHead, characters.length - tail))).join("")}</span>
      <span class={middle.length > uncutHead ? "ellipsis middle" : "ellipsis"}>{middle}</span>
      <span>{characters.slice(-tail).join("")}</span>
    </bdi>
  );
}

/** The name after the last slash if it is short enough, else the most words that are. */
function tailLength(characters: readonly string[]): number {
  const starts = Array.from({ length: most - fewest + 1 }, (_, index) => characters.length - most + index);
  const before = (start: number) => characters[start - 1] ?? "";
  const start =
    starts.findLast((index) => /[\\/]/.test(before(index))) ??
    starts.find((index) => index > 0 && beginsWord(before(index), characters[index] ?? ""));
  return start === undefined ? fewest : characters.length - start;
}

function beginsWord(before: string, character: string): boolean {
  return (
    (/[^\p{L}\p{N}]/u.test(before) && /[\p{L}\p{N}]/u.test(character)) ||
    (/\p{Ll}/u.test(before) && /\p{Lu}/u.test(character))
  );
}
