import type { ComponentChildren, JSX } from "preact";

/** A table that scrolls sideways where it is too wide, by the keyboard, too. */
export function TableFrame({
  label,
  head,
  children,
}: {
  readonly label: string;
  readonly head: readonly ComponentChildren[];
  readonly children: ComponentChildren;
}): JSX.Element {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is to be reached by keys
    <section class="table-frame" aria-label={label} tabIndex={0}>
      <table>
        <thead>
          <tr>
            {head.map((title, at) => (
              <th key={at} scope="col">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </section>
  );
}
