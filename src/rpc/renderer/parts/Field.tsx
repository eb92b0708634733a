import type { ComponentChildren, JSX } from "preact";
import type { Json } from "../../output/rpcOutput.ts";
import type { RpcLookUp } from "../../output/rpcOutputMessage.ts";
import { cutFieldText, fieldText, isAddressLike, visible } from "../data/fields/fieldText.ts";
import { useDrawing } from "../drawing.ts";
import { HexText } from "./Hex.tsx";

/** Rows of names and values, in columns if the page is wide enough. */
export function Fields({ children }: { readonly children: ComponentChildren }): JSX.Element {
  return <dl class="fields">{children}</dl>;
}

export function Field({
  name,
  changed,
  children,
}: {
  readonly name: string;
  readonly changed?: boolean;
  readonly children: ComponentChildren;
}): JSX.Element {
  return (
    <div class={changed ? "field changed" : "field"}>
      <dt>
        {cutFieldText(name, 80)}
        {changed && <Changed />}
      </dt>
      <dd>{children}</dd>
    </div>
  );
}

export function Changed(): JSX.Element {
  return <span class="changed-mark"> changed</span>;
}

/** Members whose value is the hash of a transaction or a block. */
const hashes: ReadonlyMap<string, RpcLookUp> = new Map([
  ["transactionHash", "transaction"],
  ["blockHash", "block"],
  ["parentHash", "block"],
]);

/** A simple value, formatted by the name of its member. */
export function FieldValue({
  name,
  value,
  short,
}: {
  readonly name: string;
  readonly value: Json;
  readonly short?: boolean;
}): JSX.Element {
  const { text, exact } = fieldText(name, value, useDrawing());
  if (typeof value === "string" && text.toLowerCase() === value.toLowerCase()) {
    return isAddressLike(value) ? (
      <HexText text={value} what={name || "the value"} short={short ?? false} lookUp={hashes.get(name)} />
    ) : (
      <span>{cutFieldText(value, short ? 200 : 4000)}</span>
    );
  }
  return <span title={exact ? visible(exact) : undefined}>{text}</span>;
}
