import type { JSX } from "preact";
import { useDrawing } from "../drawing.ts";
import { cutFieldText, shortHex, wholeLength } from "../fieldText.ts";
import { Copy } from "./Copy.tsx";

const most = 2000;

/** An address, a hash or other text of a node, with a button that copies all of it. */
export function HexText({
  text,
  what,
  short,
}: {
  readonly text: string;
  readonly what: string;
  readonly short?: boolean;
}): JSX.Element {
  const whole = wholeLength(text, useDrawing());
  return (
    <span class="hex">
      <code title={short ? cutFieldText(text, 200, whole) : undefined}>
        {short ? cutFieldText(shortHex(text), 200) : cutFieldText(text, most, whole)}
      </code>
      {text.length > 8 && <Copy text={() => text} what={what} />}
    </span>
  );
}
