import { Grid, type GridColumn } from "../../../webview/ui/grid/Grid.tsx";
import type { SortColumn, UsageRow, UsageState } from "../../protocol/usageProtocol.ts";
import { unitOf } from "../charts/SpendChart.tsx";
import type { UsageModel } from "../charts/usageModel.ts";
import { reasonIn, Unknown } from "../Unknown.tsx";

const columns: readonly GridColumn<UsageRow, SortColumn>[] = [
  { id: "time", label: "Time (UTC)", cell: ({ time }) => time },
  { id: "sku", label: "Product", cell: ({ sku }) => sku },
  { id: "units", label: "Units", cell: ({ units }) => units, isNumber: true },
  { id: "price", label: "Unit price (USD)", cell: ({ price }) => price, isNumber: true },
  { id: "amount", label: "Spent", cell: ({ amount }) => amount, isNumber: true },
  { id: "currency", label: "Currency", cell: ({ currency }) => unitOf(currency) },
  { id: "tokens", label: "Tokens", cell: ({ tokens }) => tokens, isNumber: true },
  { id: "duration", label: "Took", cell: ({ duration }) => duration, isNumber: true },
  { id: "notes", label: "Notes", cell: ({ notes }) => notes },
];

interface RecordsProps {
  readonly model: UsageModel;
  readonly state: Pick<UsageState, "problem" | "records" | "onlyCurrency">;
}

/** All records of the range. */
export function Records({ model, state }: RecordsProps) {
  const { size, query } = model.found.value;
  const { sort: sorted, isDescending } = model.query.value;
  const sortBy = (sort: SortColumn) =>
    model.search({
      sort,
      isDescending: sort === sorted ? !isDescending : sort === "time" || sort === "amount",
    });
  return (
    <section class="panel records" aria-label="Records">
      <RecordsHead model={model} state={state} />
      {state.records.is === "unknown" && (
        <p class="quiet">
          <Unknown /> {reasonIn(state, state.records.reason)}
        </p>
      )}
      {state.records.is !== "unknown" && size === 0 && query > 0 && <NoRecords model={model} state={state} />}
      <Grid
        label="Usage records"
        rowId="record"
        columns={columns}
        rows={{
          size,
          query,
          want: (from, to) => model.want(from, to),
          rowAt: (index) => model.rowAt(index),
        }}
        opens={({ requestId }) => requestId !== ""}
        onOpen={({ requestId }) => model.bridge.post("request", { requestId })}
        order={{ sort: sorted, isDescending, onSort: sortBy }}
      />
    </section>
  );
}

/** Says which filter leaves nothing. */
function NoRecords({ model, state: { onlyCurrency } }: RecordsProps) {
  const { text, model: modelId, key } = model.query.value;
  const isFiltered = text.trim() !== "" || modelId !== undefined || key !== undefined;
  return (
    <p class="quiet">
      No record{onlyCurrency && ` in ${unitOf(onlyCurrency)}`}{" "}
      {isFiltered ? "matches the filter." : "in this range."}{" "}
      {onlyCurrency && (
        <button type="button" class="link" onClick={() => model.chooseCurrency("")}>
          Show all currencies
        </button>
      )}
    </p>
  );
}

function RecordsHead({ model, state }: RecordsProps) {
  const { text, model: modelId, key } = model.query.value;
  return (
    <header>
      <h2>Records</h2>
      <input
        type="search"
        placeholder="Filter by product, notes or request id"
        aria-label="Filter records"
        value={text}
        onInput={({ currentTarget }) => model.search({ text: currentTarget.value })}
      />
      {modelId !== undefined && (
        <button type="button" class="chip" onClick={() => model.search({ model: undefined })}>
          {modelId} ✕
        </button>
      )}
      {key !== undefined && (
        <button
          type="button"
          class="chip"
          title="Records name no key. These are the ones of the calls of this computer."
          onClick={() => model.pickKey(undefined)}
        >
          …{key} ✕
        </button>
      )}
      <span class="quiet" role="status">
        {state.records.is === "unknown" ? <Unknown /> : model.found.value.size.toLocaleString("en-US")}{" "}
        records
      </span>
    </header>
  );
}
