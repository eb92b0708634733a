import type { UsageState } from "../../shared/usageProtocol.ts";

/** The chart's figures, to the last digit. */
export function SeriesTable({ state: { days, series, currency } }: { readonly state: UsageState }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls has to be reachable by keys
    <section class="scroll" aria-label="Figures of the chart" tabIndex={0}>
      <table class="figures">
        <thead>
          <tr>
            <th scope="col">Day (UTC)</th>
            {series.map(({ name }) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {days.map((day, index) => (
            <tr key={day}>
              <th scope="row">{day}</th>
              {series.map(({ name, values }) => (
                <td key={name}>{values[index]}</td>
              ))}
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">Total {currency}</th>
            {series.map(({ name, total }) => (
              <td key={name}>{total}</td>
            ))}
          </tr>
        </tfoot>
      </table>
    </section>
  );
}
