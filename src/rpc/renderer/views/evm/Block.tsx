import type { JSX } from "preact";
import { authorizationsIn } from "../../../output/authorizations.ts";
import { isList, type JsonObject } from "../../../output/json.ts";
import type { Json } from "../../../output/rpcOutput.ts";
import { areRows } from "../../data/fields/columns.ts";
import { wholeLength } from "../../data/fields/fieldText.ts";
import { counted, toWhole } from "../../data/fields/numbers.ts";
import { useDrawing } from "../../drawing.ts";
import { FieldValue } from "../../parts/Field.tsx";
import { HexText } from "../../parts/Hex.tsx";
import { Meter } from "../../parts/Meter.tsx";
import { Paged } from "../../parts/Paged.tsx";
import { ObjectFields } from "../ObjectFields.tsx";
import { RowsTable } from "../RowsTable.tsx";
import type { ViewProps } from "../viewProps.ts";
import { Authorizations } from "./Authorizations.tsx";

const first = [
  ...[
    "number",
    "block_number",
    "hash",
    "block_hash",
    "timestamp",
    "gasUsed",
    "gasLimit",
    "baseFeePerGas",
    "miner",
  ],
  ...["sequencer_address", "status", "size", "parentHash", "parent_hash"],
];
const last = ["transactions", "logsBloom", "withdrawals", "uncles"];
const columns = ["hash", "from", "to", "value", "gas", "type", "nonce"];

/** The fields of a block, then its transactions. */
export function BlockView({ value, path, changed, authorities }: ViewProps<JsonObject>): JSX.Element {
  const { transactions, withdrawals } = value;
  const authorizations = authorizationsIn(value).length;
  const writing = useDrawing();
  return (
    <>
      <ObjectFields
        value={value}
        path={path}
        changed={changed}
        first={first}
        without={last}
        draw={(name, member) =>
          name === "gasUsed" ? <Used used={member} limit={value.gasLimit} /> : undefined
        }
      />
      {isList(transactions) && (
        <BlockSection title={counted(wholeLength(transactions, writing), "transaction")}>
          <Transactions list={transactions} path={`${path}/transactions`} />
        </BlockSection>
      )}
      {authorizations > 0 && (
        <BlockSection title={counted(authorizations, "authorization")}>
          <Authorizations
            value={value}
            path={`${path}/authorizations`}
            whole={authorizations}
            authorities={authorities}
          />
        </BlockSection>
      )}
      {isList(withdrawals) && areRows(withdrawals) && (
        <BlockSection title={counted(wholeLength(withdrawals, writing), "withdrawal")}>
          <RowsTable rows={withdrawals} name={`${path}/withdrawals`} label="Withdrawals" />
        </BlockSection>
      )}
    </>
  );
}

function BlockSection({
  title,
  children,
}: {
  readonly title: string;
  readonly children: JSX.Element;
}): JSX.Element {
  return (
    <details class="part">
      <summary>{title}</summary>
      {children}
    </details>
  );
}

function Transactions({
  list,
  path,
}: {
  readonly list: readonly Json[];
  readonly path: string;
}): JSX.Element {
  if (areRows(list)) {
    const isEvm = list.every((row) => "from" in row && "hash" in row);
    return isEvm ? (
      <RowsTable rows={list} name={path} label="Transactions" columns={columns} />
    ) : (
      <RowsTable rows={list} name={path} label="Transactions" />
    );
  }
  return (
    <Paged
      name={path}
      items={list}
      atOnce={25}
      frame={(drawn) => (
        <ol class="hashes" start={0}>
          {drawn}
        </ol>
      )}
      draw={(hash) => (
        <li>
          {typeof hash === "string" ? (
            <HexText text={hash} what="the hash" lookUp="transaction" />
          ) : (
            <FieldValue name="" value={hash} />
          )}
        </li>
      )}
    />
  );
}

function Used({ used, limit }: { readonly used: Json; readonly limit: Json | undefined }): JSX.Element {
  const [part, whole] = [toWhole(used), toWhole(limit)];
  return (
    <>
      <FieldValue name="gasUsed" value={used} />
      {part !== undefined && whole !== undefined && whole > 0n && (
        <Meter share={Number((part * 1000n) / whole) / 1000} label="of the limit" />
      )}
    </>
  );
}
