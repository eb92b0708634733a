import { BarController, BarElement, CategoryScale, Chart, LinearScale, Tooltip } from "chart.js";
import { useEffect, useRef, useState } from "preact/hooks";
import { computedColour, seriesColours } from "../../../webview/ui/seriesColours.ts";
import type { UsageState } from "../../protocol/usageProtocol.ts";
import { reasonIn, rowsIn, Unknown } from "../Unknown.tsx";

Chart.register(BarController, BarElement, CategoryScale, LinearScale, Tooltip);

interface Props {
  readonly state: UsageState;
  readonly onPick: (name: string) => void;
}

/** Spend by day as stacked bars, or as a table for screen readers. */
export function SpendChart({ state, onPick }: Props) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [theme, setTheme] = useState(0);
  const [isTable, setIsTable] = useState(false);
  useEffect(() => onThemeChange(() => setTheme((count) => count + 1)), []);
  const series = rowsIn(state.series);
  const colours = seriesColours(series.length);
  useEffect(() => {
    if (!canvas.current || isTable) return undefined;
    const chart = draw(canvas.current, state, colours, onPick);
    return () => chart.destroy();
  }, [state, theme, isTable]);
  return (
    <section class="panel chart" aria-label="Spend by day">
      <header>
        <h2>
          {unitOf(state.currency)} by day and {state.groupBy}
        </h2>
        <button type="button" class="link" aria-pressed={isTable} onClick={() => setIsTable(!isTable)}>
          {isTable ? "Show as chart" : "Show as table"}
        </button>
      </header>
      {isTable ? (
        <SeriesTable state={state} />
      ) : (
        <>
          <div class="canvas">
            <canvas
              ref={canvas}
              role="img"
              aria-label={`${summaryOf(state)} Show as table for the figures.`}
            />
            {state.series.is === "none" && (
              <p class="empty">Nothing was spent in {unitOf(state.currency)} in these days.</p>
            )}
            {state.series.is === "unknown" && (
              <p class="empty">
                <Unknown /> {reasonIn(state, state.series.reason)}
              </p>
            )}
          </div>
          <ul class="legend">
            {series.map(({ name }, index) => (
              <li key={name}>
                <Swatch colour={colours[index] ?? ""} />
                {name}
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}

/** The content security policy forbids style attributes; scripts may set the property. */
function Swatch({ colour }: { readonly colour: string }) {
  const mark = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    if (mark.current) mark.current.style.background = colour;
  }, [colour]);
  return <span ref={mark} class="swatch" aria-hidden="true" />;
}

function summaryOf({ series: known, days, currency }: UsageState): string {
  if (known.is === "unknown") return `Spend by day is unknown. ${known.reason}`;
  const series = rowsIn(known);
  const top = series.slice(0, 3).map(({ name, total }) => `${name} ${total}`);
  return `Stacked bars of ${unitOf(currency)} spent on ${days.length} days. ${top.length > 0 ? `Most: ${top.join(", ")}.` : "Nothing was spent."}`;
}

export function unitOf(currency: string): string {
  return currency === "BUNDLED_CREDITS" ? "bundled credits" : currency;
}

/** Plain digits for small amounts: the chart library would use an exponent. */
function tickText(value: string | number): string {
  return Number(value).toLocaleString("en-US", { maximumSignificantDigits: 4 });
}

function draw(
  canvas: HTMLCanvasElement,
  state: UsageState,
  colours: readonly string[],
  onPick: (name: string) => void,
): Chart {
  const text = themeColour("foreground", "gray");
  const grid = themeColour("editorWidget-border", "rgb(128 128 128 / 30%)");
  const isContrast = document.body.classList.contains("vscode-high-contrast");
  return new Chart(canvas, {
    type: "bar",
    data: {
      labels: state.days.map((day) => day.slice(5)),
      datasets: rowsIn(state.series).map(({ name, values }, index) => ({
        label: name,
        data: values.map(Number),
        backgroundColor: colours[index] ?? "",
        borderColor: themeColour("contrastBorder", "transparent"),
        borderWidth: isContrast ? 1 : 0,
        maxBarThickness: 36,
      })),
    },
    options: {
      animation: false,
      maintainAspectRatio: false,
      interaction: { mode: "index", intersect: false },
      onClick: (event, _, chart) => {
        const [hit] = chart.getElementsAtEventForMode(
          event.native as Event,
          "nearest",
          { intersect: true },
          true,
        );
        const name = hit && rowsIn(state.series)[hit.datasetIndex]?.name;
        if (name && state.groupBy === "model") onPick(name);
      },
      scales: {
        x: {
          stacked: true,
          ticks: { color: text, maxRotation: 0, autoSkipPadding: 12 },
          grid: { display: false },
        },
        y: {
          stacked: true,
          beginAtZero: true,
          ticks: { color: text, maxTicksLimit: 6, callback: tickText },
          grid: { color: grid },
        },
      },
      plugins: {
        tooltip: {
          filter: ({ raw }) => raw !== 0,
          itemSort: (a, b) => Number(b.raw) - Number(a.raw),
          callbacks: {
            title: ([item]) => state.days[item?.dataIndex ?? 0] ?? "",
            label: ({ dataset, dataIndex, datasetIndex }) =>
              `${dataset.label}: ${rowsIn(state.series)[datasetIndex]?.values[dataIndex] ?? ""} ${unitOf(state.currency)}`,
          },
        },
      },
    },
  });
}

/** The exact figures of the chart. */
function SeriesTable({ state }: { readonly state: UsageState }) {
  const { days, currency } = state;
  const series = rowsIn(state.series);
  if (state.series.is === "unknown")
    return (
      <p>
        <Unknown /> {reasonIn(state, state.series.reason)}
      </p>
    );
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

function themeColour(name: string, fallback: string): string {
  return computedColour(`var(--vscode-${name}, ${fallback})`);
}

/** Calls the listener after each change of the theme. Returns a function that stops it. */
function onThemeChange(listener: () => void): () => void {
  const observer = new MutationObserver(listener);
  observer.observe(document.body, { attributes: true, attributeFilter: ["class", "data-vscode-theme-id"] });
  return () => observer.disconnect();
}
