import type { JSX } from "preact";
import { isList, type JsonObject } from "../../../output/json.ts";
import { areRows } from "../../data/fields/columns.ts";
import { cutFieldText, wholeLength } from "../../data/fields/fieldText.ts";
import { useDrawing } from "../../drawing.ts";
import { ObjectFields } from "../ObjectFields.tsx";
import type { ViewProps } from "../viewProps.ts";
import { Authorizations } from "./Authorizations.tsx";
import { Calldata } from "./Trace.tsx";

const first = [
  ...["hash", "from", "to", "value", "blockNumber", "blockHash", "transactionIndex", "nonce", "type"],
  ...["gas", "gasPrice", "maxFeePerGas", "maxPriorityFeePerGas", "maxFeePerBlobGas", "input"],
];

export function TransactionView({ value, path, changed, authorities }: ViewProps<JsonObject>): JSX.Element {
  const writing = useDrawing();
  return (
    <>
      {value.blockNumber === null && (
        <p class="quiet">Pending: the transaction is in the pool and not in a block yet.</p>
      )}
      <ObjectFields
        value={value}
        path={path}
        changed={changed}
        first={first}
        draw={(name, member) => {
          if (name === "input" && typeof member === "string")
            return <Calldata input={member} to={value.to} />;
          if (name === "to" && member === null) return <span>none (creates a contract)</span>;
          if (name === "type" && typeof member === "string") return <span>{typeName(member)}</span>;
          if (name === "authorizationList" && isList(member) && areRows(member))
            return (
              <Authorizations
                value={value}
                path={`${path}/authorizationList`}
                whole={wholeLength(member, writing)}
                authorities={authorities}
              />
            );
          return undefined;
        }}
      />
    </>
  );
}

const types: Readonly<Record<string, string>> = {
  "0x0": "0 (legacy)",
  "0x1": "1 (with an access list, EIP-2930)",
  "0x2": "2 (base fee and tip, EIP-1559)",
  "0x3": "3 (with blobs, EIP-4844)",
  "0x4": "4 (sets code, EIP-7702)",
  "0x71": "113 (zkSync, EIP-712)",
};

export function typeName(type: string): string {
  return types[type] ?? cutFieldText(type, 80);
}
