import type { JSX } from "preact";
import type { RpcEvent } from "../../output/rpcOutput.ts";
import { cutFieldText } from "../data/fields/fieldText.ts";
import { useDrawing } from "../drawing.ts";

/** The name of an event, a function or an error. A likely one is marked. */
export function CalledName({ item }: { readonly item: RpcEvent }): JSX.Element {
  return (
    <>
      <strong>{cutFieldText(isUnread(item) ? item.likely : item.name, isUnread(item) ? 200 : 80)}</strong>
      <LikelyMark item={item} />
    </>
  );
}

export function LikelyMark({ item: { likely } }: { readonly item: RpcEvent }): JSX.Element | null {
  if (likely === undefined) return null;
  const title = `The ABI of the contract is not known. The selector fits ${likely}, but it may fit others, too.`;
  return (
    <>
      {" "}
      <span class="likely" title={cutFieldText(title, 400)}>
        likely
      </span>
    </>
  );
}

/** True if the bytes do not fit the likely signature, so that there are no values to show. */
export function isUnread(item: RpcEvent): item is RpcEvent & { readonly likely: string } {
  return item.likely !== undefined && item.values.length === 0 && !item.likely.endsWith("()");
}

/** A button that gets the ABI of a contract whose data are not decoded. */
export function GetAbi({ address }: { readonly address: unknown }): JSX.Element | null {
  const { getAbi } = useDrawing();
  if (!getAbi || typeof address !== "string" || !/^0x[0-9a-f]{40}$/i.test(address)) return null;
  return (
    <button
      type="button"
      class="button"
      title={`Gets the ABI of ${address} from a service or a file`}
      onClick={() => getAbi(address)}
    >
      Get ABI
    </button>
  );
}
