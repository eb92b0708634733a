import type { CompletionRow } from "../protocol/usageProtocol.ts";

const count = new Intl.NumberFormat("en");

/** Accept rate and cost of inline completions. */
export function Completions({ rows }: { readonly rows: readonly CompletionRow[] }) {
  if (rows.length === 0) return null;
  return (
    <section class="panel" aria-label="Inline completions">
      <h2>Inline completions</h2>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls has to be reachable by keys */}
      <section class="scroll" aria-label="Inline completions by time" tabIndex={0}>
        <table>
          <thead>
            <tr>
              {["Time", "Requests", "Shown", "Accepted", "Keystrokes", "Spent", "Per 1,000 keystrokes"].map(
                (name) => (
                  <th key={name} scope="col">
                    {name}
                  </th>
                ),
              )}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.name}>
                <th scope="row">{row.name}</th>
                <td>{count.format(row.requests)}</td>
                <td>{count.format(row.shown)}</td>
                <td>
                  {count.format(row.accepted)}
                  {row.rate && ` (${row.rate})`}
                </td>
                <td>{count.format(row.keystrokes)}</td>
                <td>{row.spend}</td>
                <td>{row.perThousand || "–"}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      <p class="quiet">
        Counted on this machine, over this connection, while inline completions were on. The price of a
        request that was cancelled as you typed on is only on the bill.
      </p>
    </section>
  );
}
