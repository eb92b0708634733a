import { type ComponentChildren, Fragment, type JSX } from "preact";
import { counted, grouped } from "../data/fields/numbers.ts";
import { useDrawing, useStored } from "../drawing.ts";

interface Props<Item> {
  /** Names this list within its output. */
  readonly name: string;
  readonly items: readonly Item[];
  readonly atOnce: number;
  /** Complete number of items, if `items` is not itself a list of the result. */
  readonly whole?: number;
  readonly draw: (item: Item, at: number) => ComponentChildren;
  /** The container of the items, before the button. */
  readonly frame: (drawn: ComponentChildren) => ComponentChildren;
}

/** A long list in pages. A cut list shows its complete length and a button that opens it. */
export function Paged<Item>({ name, items, atOnce, whole, draw, frame }: Props<Item>): JSX.Element {
  const { wholes, openWhole } = useDrawing();
  const [shown, setShown] = useStored(`${name}#shown`, atOnce);
  const here = items.length - shown;
  const all = Math.max(items.length, whole ?? wholes?.get(items) ?? 0);
  const next = Math.min(here, atOnce * 2);
  const drawn = items.slice(0, shown).map((item, at) => <Fragment key={at}>{draw(item, at)}</Fragment>);
  return (
    <>
      {frame(drawn)}
      {here > 0 && (
        <button type="button" class="button more" onClick={() => setShown(shown + atOnce * 2)}>
          {next < all - shown
            ? `Show ${next} of ${counted(all - shown, "more", "more")}`
            : `Show ${next} more`}
        </button>
      )}
      {all > items.length && (
        <p class="note">
          The first {grouped(BigInt(items.length))} of {grouped(BigInt(all))} are here.{" "}
          {openWhole && (
            <button type="button" class="button" onClick={openWhole}>
              Open all in an editor
            </button>
          )}
        </p>
      )}
    </>
  );
}
