import type { JSX } from "preact";
import { isList, type JsonObject } from "../../../output/json.ts";
import { areRows } from "../../data/fields/columns.ts";
import { wholeLength } from "../../data/fields/fieldText.ts";
import { coinText, counted, toWhole } from "../../data/fields/numbers.ts";
import { useDrawing } from "../../drawing.ts";
import { Field, Fields } from "../../parts/Field.tsx";
import { ObjectFields } from "../ObjectFields.tsx";
import type { ViewProps } from "../viewProps.ts";
import { Logs } from "./Logs.tsx";
import { typeName } from "./Transaction.tsx";

const first = [
  ...["transactionHash", "from", "to", "contractAddress", "blockNumber", "blockHash", "transactionIndex"],
  ...["gasUsed", "effectiveGasPrice", "cumulativeGasUsed", "type"],
];

/** The status, fee and logs of a transaction. */
export function Receipt({ value, path, changed, decoded }: ViewProps<JsonObject>): JSX.Element {
  const writing = useDrawing();
  const { coin } = writing;
  const [used, price] = [toWhole(value.gasUsed), toWhole(value.effectiveGasPrice)];
  const logs = isList(value.logs) && areRows(value.logs) ? value.logs : [];
  return (
    <>
      <p class={value.status === "0x0" ? "state bad" : "state good"}>
        {value.status === "0x0"
          ? "✗ Failed: the transaction was mined and its fee was paid, but its changes were reverted"
          : "✓ Succeeded"}
      </p>
      {used !== undefined && price !== undefined && (
        <Fields>
          <Field name="fee">{coinText(used * price, coin)}</Field>
        </Fields>
      )}
      <ObjectFields
        value={value}
        path={path}
        changed={changed}
        first={first}
        without={["logs", "logsBloom", "status"]}
        draw={(name, member) =>
          name === "type" && typeof member === "string" ? <span>{typeName(member)}</span> : undefined
        }
      />
      <h4>{counted(wholeLength(logs, writing), "log")}</h4>
      {logs.length > 0 && (
        <Logs logs={logs} path={`${path}/logs`} events={decoded?.kind === "events" ? decoded.events : []} />
      )}
    </>
  );
}
