import { type ComponentChildren, Fragment, type JSX } from "preact";
import { useKept } from "../drawing.ts";
import { counted } from "../numbers.ts";

interface Props<Item> {
  /** Names this list within its output. */
  readonly name: string;
  readonly items: readonly Item[];
  readonly atOnce: number;
  readonly draw: (item: Item, at: number) => ComponentChildren;
  /** What holds the items; the button stands behind it. */
  readonly frame: (drawn: ComponentChildren) => ComponentChildren;
}

/** A long list, so many items at a time. */
export function Paged<Item>({ name, items, atOnce, draw, frame }: Props<Item>): JSX.Element {
  const [shown, setShown] = useKept(`${name}#shown`, atOnce);
  const left = items.length - shown;
  const drawn = items.slice(0, shown).map((item, at) => <Fragment key={at}>{draw(item, at)}</Fragment>);
  return (
    <>
      {frame(drawn)}
      {left > 0 && (
        <button type="button" class="button more" onClick={() => setShown(shown + atOnce * 2)}>
          {left > atOnce * 2 ? `Show ${atOnce * 2} of ${counted(left, "more", "more")}` : `Show ${left} more`}
        </button>
      )}
    </>
  );
}
