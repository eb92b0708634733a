import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import { authorizationsIn, type ListedAuthorization } from "../../../output/authorizations.ts";
import type { JsonObject } from "../../../output/json.ts";
import type { Json, RpcResult } from "../../../output/rpcOutput.ts";
import { toWhole } from "../../data/fields/numbers.ts";
import type { Column } from "../../data/tableRows.ts";
import { DataTable } from "../../parts/DataTable.tsx";
import { FieldValue } from "../../parts/Field.tsx";

interface Row extends ListedAuthorization {
  /** Null if the signature is not valid; undefined if it was not recovered. */
  readonly authority: string | null | undefined;
}

const invalid = "the signature is not valid";

const columns: readonly Column<Row>[] = [
  { name: "authority", read: ({ authority }) => (authority === null ? invalid : authority) },
  { name: "address", title: "delegate", read: member("address") },
  { name: "chainId", title: "chain id", read: member("chainId") },
  { name: "nonce", read: member("nonce") },
];
const hidden: readonly Column<Row>[] = ["yParity", "r", "s"].map((name) => ({
  name,
  read: member(name),
  hidden: true,
}));
const ofBlock: Column<Row> = { name: "transactionHash", title: "transaction", read: ({ hash }) => hash };

/** The authorizations (EIP-7702) of a transaction, or of those of a block, with the accounts that signed them. */
export function Authorizations({
  value,
  path,
  whole,
  authorities = [],
}: {
  readonly value: JsonObject;
  readonly path: string;
  /** The number of all of them, with those that were cut off. */
  readonly whole: number;
  readonly authorities?: RpcResult["authorities"];
}): JSX.Element {
  const isBlock = "transactions" in value;
  const rows = useMemo(
    () => authorizationsIn(value).map((one, at): Row => ({ ...one, authority: authorities[at] })),
    [value, authorities],
  );
  const all = useMemo(() => [...(isBlock ? [ofBlock] : []), ...columns, ...hidden], [isBlock]);
  return (
    <DataTable
      name={`rows ${path}`}
      label="Authorizations"
      rows={rows}
      whole={Math.max(whole, rows.length)}
      columns={all}
      counter="#"
      draw={(row, at) => (
        <tr>
          <th scope="row">{at}</th>
          {all
            .filter(({ hidden }) => !hidden)
            .map(({ name, read }) => (
              <td key={name}>
                <Cell name={name} value={read(row)} />
              </td>
            ))}
        </tr>
      )}
    />
  );
}

function Cell({ name, value }: { readonly name: string; readonly value: Json | undefined }): JSX.Element {
  if (value === undefined)
    return <span class="quiet">{name === "authority" ? "not recovered" : "missing"}</span>;
  if (name === "authority" && value === invalid) return <span class="bad">{invalid}</span>;
  if (name === "address" && typeof value === "string" && /^0x0{40}$/.test(value))
    return <span>none (ends the delegation)</span>;
  if (name === "chainId" && toWhole(value) === 0n) return <span>0 (every chain)</span>;
  return <FieldValue name={name} value={value} short />;
}

/** The own member of the authorization, so that `constructor` is plain data. */
function member(name: string): (row: Row) => Json | undefined {
  return ({ authorization }) => (Object.hasOwn(authorization, name) ? authorization[name] : undefined);
}
