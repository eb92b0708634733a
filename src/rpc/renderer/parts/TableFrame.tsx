import type { ComponentChildren, JSX } from "preact";

/** The order by a column, and what its button does. */
export interface Sorting {
  readonly state: "none" | "ascending" | "descending";
  readonly onClick: () => void;
}

/** A table with horizontal scrolling, which the keyboard can reach. */
export function TableFrame({
  label,
  head,
  sorting,
  children,
}: {
  readonly label: string;
  readonly head: readonly ComponentChildren[];
  /** By column; undefined for a column that can't be sorted. */
  readonly sorting?: readonly (Sorting | undefined)[];
  readonly children: ComponentChildren;
}): JSX.Element {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable regions must be reachable by keyboard
    <section class="table-frame" aria-label={label} tabIndex={0}>
      <table>
        <thead>
          <tr>
            {head.map((title, at) => (
              <Head key={at} title={title} sorting={sorting?.[at]} />
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </section>
  );
}

function Head({
  title,
  sorting,
}: {
  readonly title: ComponentChildren;
  readonly sorting: Sorting | undefined;
}): JSX.Element {
  if (!sorting) return <th scope="col">{title}</th>;
  const { state, onClick } = sorting;
  return (
    <th scope="col" aria-sort={state}>
      <button type="button" class="sort" onClick={onClick}>
        {title}
        <span class={`sort-mark ${state}`} aria-hidden="true" />
      </button>
    </th>
  );
}
