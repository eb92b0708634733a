import type { JSX } from "preact";
import type { RpcResultView } from "../../../shared/rpc/resultView.ts";
import type { Json } from "../../output/rpcOutput.ts";
import { feltText } from "../data/fields/feltText.ts";
import { cutFieldText, prices, type Writing, wholeLength } from "../data/fields/fieldText.ts";
import { coinText, counted, grouped, gweiText, toWhole } from "../data/fields/numbers.ts";
import { scalarText } from "../data/shortResult.ts";
import { useDrawing } from "../drawing.ts";
import { HexText } from "../parts/Hex.tsx";

type Plain = Exclude<Json, object> | null;

interface Props {
  readonly view: RpcResultView;
  readonly value: Plain;
  /** The method of the result. */
  readonly method?: string;
}

/** A single value, with its other forms below. */
export function Scalar({ view, value, method = "" }: Props): JSX.Element {
  const writing = useDrawing();
  if (value === null) return <p class="large">null</p>;
  if (value === "0x" && /^eth_(?:getCode|call)$/.test(method))
    return <p class="large">{scalarText(view, value, method, writing)}</p>;
  const named = typeof value === "string" ? addressIn(method, value) : undefined;
  if (named)
    return (
      <>
        <p class="large">
          {named.text} <HexText text={named.address} what="the address" />
        </p>
        <p class="quiet forms">{String(value)}</p>
      </>
    );
  if (typeof value === "string" && (view === "data" || value.length > 66)) return <Data text={value} />;
  if (typeof value === "string" && /^0x/.test(value) && (view === "hash" || view === "address")) {
    return (
      <p class="large">
        <HexText text={value} what={`the ${view}`} />
      </p>
    );
  }
  const others = otherForms(view, value, method, writing);
  return (
    <>
      <p class="large">{cutFieldText(scalarText(view, value, method, writing), 4000)}</p>
      {others.length > 0 && <p class="quiet forms">{others.join(" · ")}</p>}
    </>
  );
}

/** The code of an account that delegates (EIP-7702), and a storage slot with an address, such as those of EIP-1967. */
function addressIn(
  method: string,
  value: string,
): { readonly text: string; readonly address: string } | undefined {
  const [, code] = (method === "eth_getCode" && /^0xef0100([0-9a-f]{40})$/i.exec(value)) || [];
  if (code !== undefined) return { text: "Delegates to", address: `0x${code}` };
  // A small number has more leading zeros than an address is likely to have.
  const [, slot] = (method === "eth_getStorageAt" && /^0x0{24}(?!0{8})([0-9a-f]{40})$/i.exec(value)) || [];
  return slot === undefined ? undefined : { text: "As address:", address: `0x${slot}` };
}

function otherForms(view: RpcResultView, value: Plain, method: string, writing: Writing): readonly string[] {
  const isHex = writing.radix === "hex";
  const whole = typeof value === "string" && /^0x/.test(value) ? toWhole(value) : undefined;
  if (whole === undefined) return [];
  const own = isHex ? [] : [String(value)];
  if (view === "wei")
    return [
      `${grouped(whole)} wei`,
      prices.test(method) ? coinText(whole, writing.coin) : gweiText(whole),
      ...own,
    ];
  if (view === "felt") {
    const text = feltText(whole);
    return [grouped(whole), ...(text === undefined ? [] : [JSON.stringify(text)])];
  }
  if (view === "quantity" || view === "any" || view === "json" || view === "number")
    return [...(isHex ? [grouped(whole)] : []), ...own];
  return [];
}

const wordsShown = 16;

/** Bytes with their number, split into 32-byte words if possible. */
function Data({ text }: { readonly text: string }): JSX.Element {
  const whole = wholeLength(text, useDrawing());
  if (!/^0x([0-9a-f]{2})*…?$/i.test(text)) return <p class="text">{cutFieldText(text, 8000, whole)}</p>;
  const digits = text.slice(2).replace("…", "");
  const head = digits.length % 64 === 8 ? digits.slice(0, 8) : "";
  const body = digits.slice(head.length);
  const words = body.length % 64 === 0 ? (body.match(/.{64}/g) ?? []) : [];
  return (
    <>
      <p>
        {counted(Math.max(0, whole - 2) / 2, "byte")}{" "}
        {digits.length > 0 && <HexText text={text} what="the bytes" short />}
      </p>
      {head && (
        <p>
          selector <code>0x{head}</code>
        </p>
      )}
      {words.length > 0 && words.length <= 256 ? (
        <ol class="words" start={0}>
          {words.slice(0, wordsShown).map((word, at) => (
            <li key={at}>
              <code>{word}</code> <span class="quiet">{wordText(word)}</span>
            </li>
          ))}
          {words.length > wordsShown && <li class="quiet">{words.length - wordsShown} more words</li>}
        </ol>
      ) : (
        digits.length > 0 && <p class="text">{cutFieldText(text, 1200, whole)}</p>
      )}
    </>
  );
}

/** Possible meaning of a word: a number or an address. */
function wordText(word: string): string {
  if (/^0{40}/.test(word)) return grouped(BigInt(`0x${word}`));
  return /^0{24}[^0]/.test(word) ? "address" : "";
}
