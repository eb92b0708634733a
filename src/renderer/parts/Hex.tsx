import type { JSX } from "preact";
import { cutText, shortHex } from "../fieldText.ts";
import { Copy } from "./Copy.tsx";

const most = 2000;

/** An address, a hash or other text of a node, with a button that copies it whole. */
export function Hex({
  text,
  what,
  short,
}: {
  readonly text: string;
  readonly what: string;
  readonly short?: boolean;
}): JSX.Element {
  return (
    <span class="hex">
      <code title={short ? cutText(text, 200) : undefined}>
        {cutText(short ? shortHex(text) : text, short ? 200 : most)}
      </code>
      {text.length > 8 && <Copy text={() => text} what={what} />}
    </span>
  );
}
