import { useState } from "preact/hooks";
import type { UsageState } from "../../shared/usageProtocol.ts";
import { unitOf } from "./SpendChart.tsx";
import type { UsageModel } from "./usageModel.ts";

const lookbacks = [7, 30, 90];

/** Range, grouping, currency, refresh and export. */
export function UsageControls({ state, model }: { readonly state: UsageState; readonly model: UsageModel }) {
  const { bridge } = model;
  const [dates, setDates] = useState<{ from: string; to: string } | undefined>(undefined);
  const { from, to } = dates ?? state;
  const problem = dates ? problemOf(from, to) : "";
  return (
    <form
      class="controls"
      onSubmit={(event) => {
        event.preventDefault();
        if (!dates || problem) return;
        bridge.post("range", { from, to });
        setDates(undefined);
      }}
    >
      <fieldset class="choice" aria-label="Range">
        {lookbacks.map((days) => (
          <button
            key={days}
            type="button"
            aria-pressed={state.lookback === days}
            onClick={() => {
              setDates(undefined);
              bridge.post("lookback", { days });
            }}
          >
            {days} days
          </button>
        ))}
      </fieldset>
      <span class="dates">
        <input
          type="date"
          aria-label="From (UTC)"
          value={from}
          onInput={({ currentTarget }) => setDates({ from: currentTarget.value, to })}
        />
        <input
          type="date"
          aria-label="To (UTC)"
          value={to}
          onInput={({ currentTarget }) => setDates({ from, to: currentTarget.value })}
        />
        {dates && (
          <button type="submit" class="button" disabled={problem !== ""}>
            Show
          </button>
        )}
      </span>
      <fieldset class="choice" aria-label="Stacked by">
        {(["model", "key"] as const).map((by) => (
          <button
            key={by}
            type="button"
            aria-pressed={state.groupBy === by}
            onClick={() => bridge.post("groupBy", { by })}
          >
            By {by}
          </button>
        ))}
      </fieldset>
      <select
        aria-label="Currency"
        value={state.currency}
        onChange={({ currentTarget }) => bridge.post("currency", { currency: currentTarget.value })}
      >
        {state.currencies.map((currency) => (
          <option key={currency} value={currency}>
            {unitOf(currency)}
          </option>
        ))}
      </select>
      <span class="grow" />
      <button type="button" class="button" onClick={() => bridge.post("refresh", {})}>
        Refresh
      </button>
      <button type="button" class="button primary" onClick={() => bridge.post("exportFile", {})}>
        Export…
      </button>
      {problem && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
    </form>
  );
}

const dayMs = 86_400_000;

function problemOf(from: string, to: string): string {
  if (!from || !to) return "Select both days.";
  if (from > to) return "The first day must not be after the last day.";
  return (Date.parse(to) - Date.parse(from)) / dayMs >= 90 ? "A range can have at most 90 days." : "";
}
