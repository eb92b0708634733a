import { Grid, type GridColumn } from "../../webview/ui/grid/Grid.tsx";
import type { Outcome, RequestRow, RequestsState } from "../protocol/requestsProtocol.ts";
import { DetailPanel } from "./DetailPanel.tsx";
import type { RequestsModel } from "./requestsModel.ts";

const columns: readonly GridColumn<RequestRow>[] = [
  { id: "time", label: "Time", cell: ({ time }) => time },
  { id: "what", label: "Request", cell: ({ what }) => what },
  { id: "status", label: "Status", cell: ({ status }) => status },
  { id: "ms", label: "Duration", cell: ({ ms }) => ms, isNumber: true },
  { id: "tokens", label: "Tokens", cell: ({ tokens }) => tokens, isNumber: true },
  { id: "price", label: "Price", cell: ({ price }) => price, isNumber: true },
  { id: "model", label: "Model", cell: ({ model }) => model },
  { id: "source", label: "Source", cell: ({ source }) => source },
];

const outcomeNames: Readonly<Record<Outcome, string>> = {
  ok: "Succeeded",
  failed: "Failed",
  retried: "With retries",
};

/** The requests of the last days, and the one that is open. */
export function RequestsApp({ model }: { readonly model: RequestsModel }) {
  const state = model.state.value;
  if (!state)
    return (
      <main>
        <p class="quiet" role="status">
          Reading requests…
        </p>
      </main>
    );
  const { size, query } = model.found.value;
  return (
    <main>
      <h1>Requests</h1>
      <Controls model={model} state={state} />
      {state.isUnreadable && (
        <p class="problem" role="alert">
          The recorded requests could not be read. The log has the reason.
        </p>
      )}
      {model.missing.value !== "" && (
        <p class="warning" role="alert">
          {model.missing.value}
        </p>
      )}
      <DetailPanel model={model} />
      <section class="list" aria-label="Requests">
        <p class="quiet" role="status">
          {summaryOf(state, size)}
        </p>
        {state.total === 0 ? (
          <Empty model={model} state={state} />
        ) : (
          <Grid
            label="Recorded requests"
            rowId="request"
            columns={columns}
            rows={{
              size,
              query,
              want: (from, to) => model.rows.want(from, to, size),
              rowAt: (index) => model.rows.rowAt(index),
            }}
            opens={() => true}
            onOpen={({ id }) => model.bridge.post("open", { id })}
          />
        )}
      </section>
    </main>
  );
}

function summaryOf({ total, keepDays }: RequestsState, size: number): string {
  const count = (number: number) => number.toLocaleString("en-US");
  const shown = size === total ? count(total) : `${count(size)} of ${count(total)}`;
  const kept = keepDays === 0 ? "None are kept." : `Kept for ${keepDays} ${keepDays === 1 ? "day" : "days"}.`;
  return `${shown} ${total === 1 ? "request" : "requests"}. ${kept}`;
}

function Empty({ model, state }: { readonly model: RequestsModel; readonly state: RequestsState }) {
  return (
    <div class="empty">
      <p>
        {state.keepDays === 0
          ? "Requests are not recorded: the setting keeps none."
          : "No request was sent in these days. Each request of a chat, a tool, a notebook or any other command appears here."}
      </p>
      <button type="button" class="button" onClick={() => model.bridge.post("openSettings", {})}>
        Change How Long Requests Are Kept
      </button>
    </div>
  );
}

function Controls({ model, state }: { readonly model: RequestsModel; readonly state: RequestsState }) {
  const { text, outcome, source, connection } = model.filter.value;
  const outcomes = Object.entries(outcomeNames).map(([value, name]) => ({ value, name }));
  return (
    <search class="controls">
      <input
        type="search"
        placeholder="Filter by route, model, status or request id"
        aria-label="Filter requests"
        value={text}
        onInput={({ currentTarget }) => model.search({ text: currentTarget.value })}
      />
      <Choice
        label="Filter by result"
        all="All results"
        value={outcome}
        choices={outcomes}
        onPick={(value) => model.search({ outcome: value as Outcome | undefined })}
      />
      <Choice
        label="Filter by source"
        all="All sources"
        value={source}
        choices={state.sources}
        onPick={(value) => model.search({ source: value })}
      />
      <Choice
        label="Filter by connection"
        all="All connections"
        value={connection}
        choices={state.connections}
        onPick={(value) => model.search({ connection: value })}
      />
      <button type="button" class="button" onClick={() => model.bridge.post("refresh", {})}>
        Refresh
      </button>
      <button
        type="button"
        class="button"
        disabled={state.total === 0}
        onClick={() => model.bridge.post("clear", {})}
      >
        Clear List…
      </button>
    </search>
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly all: string;
  readonly value: string | undefined;
  readonly choices: readonly { readonly value: string; readonly name: string }[];
  readonly onPick: (value: string | undefined) => void;
}

/** The values have a mark before them, so that no value is that of `all`. */
function Choice({ label, all, value, choices, onPick }: ChoiceProps) {
  return (
    <select
      aria-label={label}
      value={value === undefined ? "all" : `=${value}`}
      onChange={({ currentTarget: { value: picked } }) =>
        onPick(picked === "all" ? undefined : picked.slice(1))
      }
    >
      <option value="all">{all}</option>
      {choices.map(({ value: of, name }) => (
        <option key={of} value={`=${of}`}>
          {name}
        </option>
      ))}
    </select>
  );
}
