import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import type { UsageState } from "../protocol/usageProtocol.ts";
import { unitOf } from "./charts/SpendChart.tsx";
import type { UsageModel } from "./charts/usageModel.ts";

const lookbacks = [7, 30, 90];
const groupings = ["model", "key"] as const;

interface ControlsProps {
  readonly state: UsageState;
  readonly model: UsageModel;
}

/** Range, grouping, currency, refresh and export. */
export function UsageControls({ state, model }: ControlsProps) {
  const { bridge } = model;
  const [dates, setDates] = useState<DateRange | undefined>(undefined);
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
      <ButtonChoice
        label="Range"
        values={lookbacks}
        chosen={state.lookback}
        labelOf={(days) => `${days} days`}
        onPick={(days) => {
          setDates(undefined);
          bridge.post("lookback", { days });
        }}
      />
      <DateFields from={from} to={to} onChange={setDates}>
        {dates && (
          <button type="submit" class="button" disabled={problem !== ""}>
            Show
          </button>
        )}
      </DateFields>
      <ButtonChoice
        label="Stacked by"
        values={groupings}
        chosen={state.groupBy}
        labelOf={(by) => `By ${by}`}
        onPick={(by) => bridge.post("groupBy", { by })}
      />
      <select
        aria-label="Currency"
        value={state.onlyCurrency}
        onChange={({ currentTarget }) => model.chooseCurrency(currentTarget.value)}
      >
        <option value="">
          All currencies{state.onlyCurrency === "" && `, chart in ${unitOf(state.currency)}`}
        </option>
        {state.currencies.filter(Boolean).map((currency) => (
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

interface ChoiceProps<Value> {
  readonly label: string;
  readonly values: readonly Value[];
  readonly chosen: unknown;
  readonly labelOf: (value: Value) => string;
  readonly onPick: (value: Value) => void;
}

/** Buttons for the values of a setting; the chosen one is pressed. */
export function ButtonChoice<Value extends string | number>(props: ChoiceProps<Value>) {
  const { label, values, chosen, labelOf, onPick } = props;
  return (
    <fieldset class="choice" aria-label={label}>
      {values.map((value) => (
        <button key={value} type="button" aria-pressed={value === chosen} onClick={() => onPick(value)}>
          {labelOf(value)}
        </button>
      ))}
    </fieldset>
  );
}

interface DateRange {
  readonly from: string;
  readonly to: string;
}

interface DateFieldsProps extends DateRange {
  readonly onChange: (dates: DateRange) => void;
  readonly children: ComponentChildren;
}

function DateFields({ from, to, onChange, children }: DateFieldsProps) {
  return (
    <span class="dates">
      <input
        type="date"
        aria-label="From (UTC)"
        value={from}
        onInput={({ currentTarget }) => onChange({ from: currentTarget.value, to })}
      />
      <input
        type="date"
        aria-label="To (UTC)"
        value={to}
        onInput={({ currentTarget }) => onChange({ from, to: currentTarget.value })}
      />
      {children}
    </span>
  );
}

const dayMs = 86_400_000;

function problemOf(from: string, to: string): string {
  if (!from || !to) return "Select both days.";
  if (from > to) return "The first day must not be after the last day.";
  return (Date.parse(to) - Date.parse(from)) / dayMs >= 90 ? "A range can have at most 90 days." : "";
}
