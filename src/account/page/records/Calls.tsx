import { useState } from "preact/hooks";
import { Grid, type GridColumn } from "../../../webview/ui/grid/Grid.tsx";
import type {
  CallDimension,
  CallFilter,
  CallGrouping,
  CallRow,
  CallsState,
} from "../../protocol/callsProtocol.ts";
import { ButtonChoice } from "../Controls.tsx";
import type { UsageModel } from "../charts/usageModel.ts";
import type { CallsModel } from "./callsModel.ts";

const dimensions = ["source", "client", "folder", "branch", "session", "key", "model"] as const;
const groupings = [...dimensions, "keyAndModel"] as const;
const pluralOf: Readonly<Record<CallDimension, string>> = {
  source: "sources",
  client: "clients",
  folder: "folders",
  branch: "branches",
  session: "sessions",
  key: "keys",
  model: "models",
};

function groupingName(by: CallGrouping): string {
  return by === "keyAndModel" ? "key and model" : by;
}

const columns: readonly GridColumn<CallRow>[] = [
  { id: "time", label: "Time (UTC)", cell: ({ time }) => time },
  { id: "spend", label: "Spent", cell: ({ spend }) => spend, isNumber: true },
  { id: "source", label: "Source", cell: ({ source }) => source },
  { id: "client", label: "Client", cell: ({ client }) => client },
  { id: "folder", label: "Folder", cell: ({ folder }) => folder },
  { id: "branch", label: "Branch", cell: ({ branch }) => branch },
  { id: "session", label: "Session", cell: ({ session }) => session },
  { id: "key", label: "Key", cell: ({ key }) => key },
  { id: "endpoint", label: "Call", cell: ({ endpoint }) => endpoint },
  { id: "model", label: "Model", cell: ({ model }) => model },
];

interface Props {
  readonly calls: CallsModel;
  readonly model: UsageModel;
}

/** Who spent it: this month's calls of the spend ledger by source, client, folder, branch, session, key or model. */
export function Calls({ calls, model }: Props) {
  const [isListed, setIsListed] = useState(false);
  const state = calls.state.value;
  if (!state) return null;
  const { size } = state;
  const count = `${size.toLocaleString("en-US")} ${size === 1 ? "call" : "calls"}`;
  return (
    <section class="panel calls" aria-label="Who spent it">
      <h2>Who spent it</h2>
      <p class="quiet" role="status">
        {state.summary}
      </p>
      <CallControls calls={calls} state={state} />
      <CallGroups calls={calls} state={state} />
      {size > 0 && (
        <button type="button" class="button" aria-expanded={isListed} onClick={() => setIsListed(!isListed)}>
          {isListed ? "Hide calls" : `Show ${count}`}
        </button>
      )}
      {isListed && size > 0 && (
        <Grid
          label="Calls"
          rowId="call"
          columns={columns}
          rows={{
            size,
            query: calls.search.value,
            want: (from, to) => calls.want(from, to),
            rowAt: (index) => calls.rowAt(index),
          }}
          opens={({ requestId }) => requestId !== ""}
          onOpen={({ requestId }) => model.bridge.post("request", { requestId })}
        />
      )}
    </section>
  );
}

interface PartProps {
  readonly calls: CallsModel;
  readonly state: CallsState;
}

function CallControls({ calls, state }: PartProps) {
  const { by, filter } = calls.query.value;
  return (
    <div class="controls">
      <ButtonChoice
        label="Grouped by"
        values={groupings}
        chosen={by}
        labelOf={(of) => `By ${groupingName(of)}`}
        onPick={(of) => calls.ask({ by: of })}
      />
      {dimensions.map((of) => (
        <select
          key={of}
          aria-label={`Filter by ${of}`}
          value={filter[of] === undefined ? "all" : `=${filter[of]}`}
          onChange={({ currentTarget: { value } }) =>
            calls.ask({ filter: { ...filter, [of]: value === "all" ? undefined : value.slice(1) } })
          }
        >
          <option value="all">All {pluralOf[of]}</option>
          {state.choices[of].map(({ value, name }) => (
            <option key={value} value={`=${value}`}>
              {name}
            </option>
          ))}
        </select>
      ))}
    </div>
  );
}

function CallGroups({ calls, state: { groups } }: PartProps) {
  const { by, filter } = calls.query.value;
  if (groups.length === 0) return null;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls has to be reachable by keys
    <section class="scroll" aria-label={`Spent by ${groupingName(by)}`} tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col">Spent</th>
            <th scope="col">Share</th>
            <th scope="col">Calls</th>
          </tr>
        </thead>
        <tbody>
          {groups.map(({ name, filter: own, spend, share, calls: count }) => (
            <tr key={own === undefined ? `rest ${name}` : JSON.stringify(own)}>
              <th scope="row">
                {own === undefined ? (
                  name
                ) : (
                  <button
                    type="button"
                    class="link"
                    aria-pressed={isIn(own, filter)}
                    onClick={() => calls.ask({ filter: toggled(own, filter) })}
                  >
                    {name}
                  </button>
                )}
              </th>
              <td>{spend}</td>
              <td>
                <meter min={0} max={1} value={share} aria-label={`${Math.round(share * 100)} %`} />{" "}
                {Math.round(share * 100)} %
              </td>
              <td>{count === undefined ? "–" : count.toLocaleString("en-US")}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** True if the filter selects this group alone. */
function isIn(group: CallFilter, filter: CallFilter): boolean {
  return dimensions.every((of) => group[of] === undefined || group[of] === filter[of]);
}

/** The filter with this group, or without it if it is selected. */
function toggled(group: CallFilter, filter: CallFilter): CallFilter {
  if (!isIn(group, filter)) return { ...filter, ...group };
  return { ...filter, ...Object.fromEntries(Object.keys(group).map((of) => [of, undefined])) };
}
