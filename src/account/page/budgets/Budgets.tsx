import { useState } from "preact/hooks";
import type { BudgetsState, BurnDown, BurnPoint } from "../../protocol/budgetsProtocol.ts";

interface BudgetsProps {
  /** Undefined until it is read. */
  readonly state: BudgetsState | undefined;
  readonly onChange: () => void;
}

/** More are shown on demand. */
const shownFirst = 6;

/** What is left of each budget over its period, as charts or as tables. */
export function Budgets({ state, onChange }: BudgetsProps) {
  const [isTable, setIsTable] = useState(false);
  const [isAll, setIsAll] = useState(false);
  if (!state || state.budgets.length + state.faults.length === 0) return null;
  const { budgets, faults } = state;
  const shown = isAll ? budgets : budgets.slice(0, shownFirst);
  return (
    <section class="panel" aria-label="Budgets">
      <header>
        <h2>What is left of the budgets</h2>
        <button type="button" class="link" aria-pressed={isTable} onClick={() => setIsTable(!isTable)}>
          {isTable ? "Show as charts" : "Show as tables"}
        </button>
        <button type="button" class="link" onClick={onChange}>
          Change Budget…
        </button>
      </header>
      {faults.map((fault) => (
        <p key={fault} class="problem">
          {fault}
        </p>
      ))}
      <ul class="burn-downs">
        {shown.map((budget) => (
          <li key={budget.id}>
            <h3>{budget.name}</h3>
            <p class={`burn-summary ${budget.level}`}>{budget.summary}</p>
            {isTable ? <BurnTable budget={budget} /> : <BurnChart budget={budget} />}
            <p class="quiet">{budget.forecastText}</p>
          </li>
        ))}
      </ul>
      {budgets.length > shown.length && (
        <button type="button" class="button" onClick={() => setIsAll(true)}>
          Show all {budgets.length} budgets
        </button>
      )}
      {!isTable && (
        <ul class="legend burn-legend">
          <li>
            <Key of="left" /> left
          </li>
          <li>
            <Key of="ideal" /> even use of the limit
          </li>
          <li>
            <Key of="forecast" /> forecast
          </li>
        </ul>
      )}
    </section>
  );
}

function Key({ of }: { readonly of: "left" | "ideal" | "forecast" }) {
  return (
    <svg class="burn-key" viewBox="0 0 24 8" aria-hidden="true">
      <line class={`burn-${of}`} x1="0" y1="4" x2="24" y2="4" />
    </svg>
  );
}

const width = 300;
const height = 100;

function BurnChart({ budget }: { readonly budget: BurnDown }) {
  const { points, forecast, limit, from, to } = budget;
  const lowest = Math.min(0, forecast ?? 0, ...points.map(({ left }) => left));
  const range = 1 - lowest;
  const x = (elapsed: number) => (elapsed * width).toFixed(1);
  const y = (left: number) => (((1 - left) / range) * height).toFixed(1);
  const now = points.at(-1);
  const line = points.map(({ elapsed, left }) => `${x(elapsed)},${y(left)}`).join(" ");
  return (
    <div class="burn-chart">
      <span class="burn-limit quiet">{limit}</span>
      <svg
        viewBox={`0 0 ${width} ${height}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={spokenOf(budget)}
      >
        <line class="burn-zero" x1="0" y1={y(0)} x2={width} y2={y(0)} />
        <line class="burn-ideal" x1="0" y1={y(1)} x2={width} y2={y(0)} />
        <polyline class="burn-left" points={line} />
        {now && forecast !== null && (
          <line class="burn-forecast" x1={x(now.elapsed)} y1={y(now.left)} x2={width} y2={y(forecast)} />
        )}
      </svg>
      <span class="burn-axis quiet">
        <span>{from}</span>
        <span>{to}</span>
      </span>
    </div>
  );
}

/** The chart in words. Its figures are in the table. */
function spokenOf({ name, summary, forecastText, points }: BurnDown): string {
  const now = points.at(-1);
  const even = now ? Math.round((1 - now.elapsed) * 100) : 100;
  return `${name}. ${summary}. With even use ${even} % would be left now. ${forecastText} Show as tables for the figures.`;
}

function BurnTable({ budget }: { readonly budget: BurnDown }) {
  const { name, points } = budget;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls has to be reachable by keys
    <section class="scroll burn-table" aria-label={`Figures of ${name}`} tabIndex={0}>
      <table class="figures">
        <thead>
          <tr>
            <th scope="col">Until (UTC)</th>
            <th scope="col">Left</th>
            <th scope="col">With even use</th>
          </tr>
        </thead>
        <tbody>
          {points.map((point) => (
            <tr key={point.label}>
              <th scope="row">{point.label}</th>
              <td>{point.text}</td>
              <td>{evenText(point)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function evenText({ elapsed }: BurnPoint): string {
  return `${Math.round((1 - elapsed) * 100)} %`;
}
