import type { JSX } from "preact";
import { toQuantity } from "../../../../shared/rpc/hex.ts";
import type { RpcValue } from "../../../output/rpcOutput.ts";
import { cutFieldText } from "../../data/fields/fieldText.ts";
import { grouped, toWhole } from "../../data/fields/numbers.ts";
import { useDrawing } from "../../drawing.ts";
import { HexText } from "../../parts/Hex.tsx";

const most = 100;

/** Values decoded by an ABI, with names and types. */
export function Decoded({
  values,
  label,
}: {
  readonly values: readonly RpcValue[];
  readonly label: string;
}): JSX.Element {
  return (
    <ul class="decoded" aria-label={cutFieldText(label, 80)}>
      {values.slice(0, most).map((value, at) => (
        <li key={at}>
          <span class="decoded-name">{cutFieldText(value.name || String(at), 80)}</span>{" "}
          <span class="quiet">{cutFieldText(value.type, 60)}</span> <OneValue value={value} />
        </li>
      ))}
      {values.length > most && <li class="quiet">{values.length - most} more, shown in JSON.</li>}
    </ul>
  );
}

export function OneValue({
  value,
  short = false,
}: {
  readonly value: RpcValue;
  /** True in tables, where a whole address leaves no room for the other columns. */
  readonly short?: boolean;
}): JSX.Element {
  return typeof value.value === "string" ? (
    <>
      {value.amount !== undefined && <>{cutFieldText(value.amount, 120)} </>}
      <DecodedText type={value.type} text={value.value} isExact={value.amount !== undefined} short={short} />
    </>
  ) : (
    <Decoded values={value.value} label={value.name || value.type} />
  );
}

function DecodedText({
  type,
  text,
  isExact,
  short,
}: {
  readonly type: string;
  readonly text: string;
  /** True if it follows the same number in another unit. */
  readonly isExact: boolean;
  readonly short: boolean;
}): JSX.Element {
  const { radix } = useDrawing();
  const whole = /^u?int/.test(type) ? toWhole(text) : undefined;
  if (whole !== undefined) {
    const hex = whole < 0n ? `-0x${(-whole).toString(16)}` : toQuantity(whole);
    const shown = radix === "hex" ? hex : grouped(whole);
    return (
      <span class={isExact ? "quiet" : undefined} title={radix === "hex" ? text : hex}>
        {isExact ? `(${shown})` : shown}
      </span>
    );
  }
  return type === "string" ? (
    <span>{cutFieldText(JSON.stringify(text), 2000)}</span>
  ) : (
    <HexText text={text} what="the value" short={short} />
  );
}
