import type { ComponentChildren, JSX } from "preact";

/** A table with horizontal scrolling, which the keyboard can reach. */
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
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable regions must be reachable by keyboard
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
