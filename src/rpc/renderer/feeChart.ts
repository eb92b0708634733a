import {
  BarController,
  BarElement,
  CategoryScale,
  Chart,
  type ChartDataset,
  Legend,
  LinearScale,
  LineController,
  LineElement,
  PointElement,
  Tooltip,
} from "chart.js";
import { seriesColours } from "../../webview/ui/seriesColours.ts";
import type { FeeRow } from "./data/feeRows.ts";

Chart.register(
  ...[BarController, LineController, BarElement, LineElement, PointElement],
  ...[CategoryScale, LinearScale, Legend, Tooltip],
);

type Mixed = ChartDataset<"line" | "bar", (number | null)[]>;

/** Draws base fees and tips as lines, and the used share of blocks as bars, in the colours of the theme. Returns a function that removes the chart. */
export function drawFees(canvas: HTMLCanvasElement, rows: readonly FeeRow[]): () => void {
  const draw = () => new Chart(canvas, configurationOf(canvas, rows));
  let chart = draw();
  const theme = new MutationObserver(() => {
    chart.destroy();
    chart = draw();
  });
  theme.observe(document.body, { attributes: true, attributeFilter: ["class", "data-vscode-theme-id"] });
  return () => {
    theme.disconnect();
    chart.destroy();
  };
}

function configurationOf(canvas: HTMLCanvasElement, rows: readonly FeeRow[]) {
  const text = getComputedStyle(canvas).color;
  const grid = "rgb(128 128 128 / 30%)";
  const lines = seriesColours(1 + tipsIn(rows));
  const axis = (title: string, position: "left" | "right") => ({
    position,
    beginAtZero: true,
    title: { display: true, text: title, color: text },
    ticks: { color: text },
    grid: { color: grid, drawOnChartArea: position === "left" },
  });
  return {
    type: "line" as const,
    data: {
      labels: rows.map(({ block }) => String(block)),
      datasets: datasetsOf(rows, lines, grid) as ChartDataset<"line", (number | null)[]>[],
    },
    options: {
      animation: false as const,
      responsive: true,
      maintainAspectRatio: false,
      interaction: { mode: "index" as const, intersect: false },
      plugins: { legend: { labels: { color: text, boxWidth: 12 } } },
      scales: {
        x: { ticks: { color: text, maxRotation: 0, autoSkipPadding: 16 }, grid: { display: false } },
        y: axis("gwei", "left"),
        full: { ...axis("% full", "right"), max: 100 },
      },
    },
  };
}

function datasetsOf(rows: readonly FeeRow[], lines: readonly string[], bars: string): Mixed[] {
  const tips = tipsIn(rows);
  const line = (label: string, at: number, data: (number | null)[]): Mixed => {
    const colour = lines[at] ?? "gray";
    return {
      type: "line",
      label,
      data,
      borderColor: colour,
      backgroundColor: colour,
      borderWidth: 2,
      pointRadius: rows.length > 60 ? 0 : 2,
    };
  };
  return [
    line(
      "Base fee",
      0,
      rows.map(({ baseFee }) => gwei(baseFee)),
    ),
    ...Array.from({ length: tips }, (_, at) =>
      line(
        tips > 1 ? `Tip ${at + 1}` : "Tip",
        at + 1,
        rows.map((row) => gwei(row.tips[at])),
      ),
    ),
    {
      type: "bar",
      label: "Full",
      yAxisID: "full",
      backgroundColor: bars,
      data: rows.map(({ used }) => (used === undefined ? null : used * 100)),
    },
  ];
}

/** Tips of different percentiles, each a line of its own. */
function tipsIn(rows: readonly FeeRow[]): number {
  return Math.max(0, ...rows.map(({ tips }) => tips.length));
}

/** Rounded for the chart. The table is exact. */
function gwei(wei: bigint | undefined): number | null {
  return wei === undefined ? null : Number(wei) / 1e9;
}
