import type { JSX } from "preact";
import { Copy } from "../../../webview/ui/Copy.tsx";
import type { RpcLookUp } from "../../output/rpcOutputMessage.ts";
import { addressText, cutFieldText, shortHex, shownAccount, wholeLength } from "../data/fields/fieldText.ts";
import { useDrawing } from "../drawing.ts";

const most = 2000;

/** An address, a hash or other text of a node, with a button that copies all of it. */
export function HexText({
  text: received,
  what,
  short,
  lookUp,
}: {
  readonly text: string;
  readonly what: string;
  readonly short?: boolean;
  /** The kind of a 32-byte hash. Undefined: it has no button for a look-up. */
  readonly lookUp?: RpcLookUp | undefined;
}): JSX.Element {
  const drawing = useDrawing();
  const text = addressText(received, drawing);
  const name = shownAccount(received, drawing.accounts)?.name;
  const whole = wholeLength(received, drawing);
  const kind = /^0x[0-9a-f]{40}$/i.test(text)
    ? "address"
    : /^0x[0-9a-f]{64}$/i.test(text)
      ? lookUp
      : undefined;
  return (
    <span class="hex">
      <code title={short ? cutFieldText(text, 200, whole) : undefined}>
        {short ? cutFieldText(shortHex(text), 200) : cutFieldText(text, most, whole)}
      </code>
      {name !== undefined && <span class="account-name quiet">{cutFieldText(name, 60)}</span>}
      {text.length > 8 && <Copy text={() => text} what={what} />}
      {kind && drawing.lookUp && (
        <button
          type="button"
          class="icon-button"
          title={`Add a cell that looks up this ${kind}`}
          aria-label={`Look up this ${kind}`}
          onClick={() => drawing.lookUp?.(kind, text)}
        >
          <svg viewBox="0 0 16 16" width="14" height="14" aria-hidden="true">
            <path d="M2.5 2.5h11v11h-11zM8 5.5v5M5.5 8h5" fill="none" stroke="currentColor" />
          </svg>
        </button>
      )}
    </span>
  );
}
