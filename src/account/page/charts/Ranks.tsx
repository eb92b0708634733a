import type { Known } from "../../../shared/known.ts";
import type { UsageRank, UsageState } from "../../protocol/usageProtocol.ts";
import { reasonIn, Unknown } from "../Unknown.tsx";
import { unitOf } from "./SpendChart.tsx";

interface Props {
  readonly title: string;
  readonly state: Pick<UsageState, "problem" | "onlyCurrency">;
  readonly rows: Known<readonly UsageRank[]>;
  readonly hasTokens: boolean;
  readonly note?: string;
  /** Undefined for a row that can't be picked. */
  readonly pickOf: (row: UsageRank) => { readonly isPicked: boolean; readonly pick: () => void } | undefined;
}

/** Models or keys with their share, the most expensive first. */
export function Ranks({ title, state, rows, hasTokens, note, pickOf }: Props) {
  return (
    <section class="panel ranks" aria-label={title}>
      <h2>{title}</h2>
      {rows.is === "none" && (
        <p class="quiet">
          {state.onlyCurrency === ""
            ? "No usage in this range."
            : `Nothing was spent in ${unitOf(state.onlyCurrency)} in this range.`}
        </p>
      )}
      {rows.is === "unknown" && (
        <p class="quiet">
          <Unknown /> {reasonIn(state, rows.reason)}
        </p>
      )}
      {rows.is === "value" && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls has to be reachable by keys
        <section class="scroll" aria-label={title} tabIndex={0}>
          <table>
            <thead>
              <tr>
                <th scope="col">Name</th>
                <th scope="col">Spent</th>
                <th scope="col">Share</th>
                <th scope="col">Units</th>
                {hasTokens && <th scope="col">Price per 1,000 tokens</th>}
              </tr>
            </thead>
            <tbody>
              {rows.value.map((row, index) => (
                <RankRow key={`${index} ${row.name}`} row={row} hasTokens={hasTokens} picking={pickOf(row)} />
              ))}
            </tbody>
          </table>
        </section>
      )}
      {note && <p class="quiet">{note}</p>}
    </section>
  );
}

interface RowProps {
  readonly row: UsageRank;
  readonly hasTokens: boolean;
  readonly picking: ReturnType<Props["pickOf"]>;
}

function RankRow({ row: { name, spend, share, units, perThousand }, hasTokens, picking }: RowProps) {
  return (
    <tr>
      <th scope="row">
        {picking ? (
          <button type="button" class="link" aria-pressed={picking.isPicked} onClick={picking.pick}>
            {name}
          </button>
        ) : (
          name
        )}
      </th>
      <td>{spend}</td>
      <td>
        <meter min={0} max={1} value={share} aria-label={`${Math.round(share * 100)} %`} />{" "}
        {Math.round(share * 100)} %
      </td>
      <td>{units || "–"}</td>
      {hasTokens && <td>{perThousand || "–"}</td>}
    </tr>
  );
}
