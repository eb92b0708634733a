import type { JSX } from "preact";
import { isObject, type JsonObject } from "../../output/json.ts";
import type { Json } from "../../output/rpcOutput.ts";
import { cutFieldText } from "../data/fields/fieldText.ts";
import { counted, grouped, timeText, toWhole } from "../data/fields/numbers.ts";
import {
  accountFacts,
  programText,
  readSolana,
  readSolanaTransaction,
  type SolanaChange,
  type SolanaInstruction,
  solText,
} from "../data/solana.ts";
import { useDrawing } from "../drawing.ts";
import { Field, Fields, FieldValue } from "../parts/Field.tsx";
import { HexText } from "../parts/Hex.tsx";
import { TableFrame } from "../parts/TableFrame.tsx";
import { JsonTree } from "./JsonTree.tsx";
import { RowsTable } from "./RowsTable.tsx";

/** A balance, an account, a list of accounts or a transaction of Solana; other shapes as JSON. */
export function SolanaView({ value, path }: { readonly value: Json; readonly path: string }): JSX.Element {
  const read = readSolana(value);
  switch (read?.kind) {
    case "lamports":
      return (
        <>
          <p class="large">{solText(read.lamports)}</p>
          <p class="quiet forms">
            {grouped(read.lamports)} lamports{slotText(read.slot)}
          </p>
        </>
      );
    case "account":
      return <Account account={read.account} slot={read.slot} path={path} />;
    case "accounts":
      return <RowsTable rows={read.rows} name={path} label={counted(read.rows.length, "account")} />;
    case "transaction":
      return <Transaction transaction={read.transaction} path={path} />;
    default:
      return <JsonTree value={value} path={path} />;
  }
}

function slotText(slot: Json | undefined): string {
  const number = toWhole(slot);
  return number === undefined ? "" : ` · in slot ${grouped(number)}`;
}

function Account({
  account,
  slot,
  path,
}: {
  readonly account: JsonObject | null;
  readonly slot: Json | undefined;
  readonly path: string;
}): JSX.Element {
  if (!account) return <p>No account has this address{slotText(slot)}. It has no lamports and no data.</p>;
  const { data, rentEpoch } = account;
  const parsed = isObject(data) ? data.parsed : undefined;
  const facts = { ...accountFacts(account), ...(rentEpoch === undefined ? {} : { rentEpoch }) };
  return (
    <>
      <p class="large">{solText(toWhole(account.lamports) ?? 0n)}</p>
      <p class="quiet forms">
        {grouped(toWhole(account.lamports) ?? 0n)} lamports{slotText(slot)}
      </p>
      <Fields>
        {Object.entries(facts)
          .filter(([name]) => name !== "lamports")
          .map(([name, member]) => (
            <Field key={name} name={name}>
              {name === "owner" ? <Program address={String(member)} /> : <Fact name={name} value={member} />}
            </Field>
          ))}
      </Fields>
      {data !== undefined && data !== null && (
        <details class="part" open={parsed !== undefined}>
          <summary>Data</summary>
          <JsonTree value={parsed ?? data} path={`${path}/data`} />
        </details>
      )}
    </>
  );
}

function Fact({ name, value }: { readonly name: string; readonly value: Json }): JSX.Element {
  if (name === "data length")
    return <span>{value === null ? "not stated" : counted(Number(value), "byte")}</span>;
  return <FieldValue name={name} value={value} />;
}

/** A program by its name, with the address to copy. */
function Program({ address }: { readonly address: string }): JSX.Element {
  const name = programText(address);
  return (
    <>
      {name !== address && <strong>{name} </strong>}
      <HexText text={address} what="the address" />
    </>
  );
}

function Transaction({
  transaction,
  path,
}: {
  readonly transaction: JsonObject;
  readonly path: string;
}): JSX.Element {
  const { atMs } = useDrawing();
  const read = readSolanaTransaction(transaction);
  const { error, fee, signers, signature, instructions, changes, logs } = read;
  const [slot, time] = [toWhole(transaction.slot), toWhole(transaction.blockTime)];
  const units = isObject(transaction.meta) ? toWhole(transaction.meta.computeUnitsConsumed) : undefined;
  return (
    <>
      {read.hasMeta && (
        <p class={error === undefined ? "state good" : "state bad"}>
          {error === undefined ? "✓ Succeeded" : `✗ Failed, and its fee was paid. ${error}`}
        </p>
      )}
      <Fields>
        {fee !== undefined && <Field name="fee">{solText(fee)}</Field>}
        {typeof signature === "string" && (
          <Field name="signature">
            <HexText text={signature} what="the signature" />
          </Field>
        )}
        {signers.map((signer, at) => (
          <Field key={signer} name={at === 0 ? "fee payer" : `signer ${at + 1}`}>
            <HexText text={signer} what="the address" />
          </Field>
        ))}
        {slot !== undefined && <Field name="slot">{grouped(slot)}</Field>}
        {time !== undefined && <Field name="time">{timeText(time, atMs)}</Field>}
        {units !== undefined && <Field name="compute units">{grouped(units)}</Field>}
        {transaction.version !== undefined && <Field name="version">{String(transaction.version)}</Field>}
      </Fields>
      <h4>{counted(instructions.length, "instruction")}</h4>
      <Instructions instructions={instructions} path={path} />
      {changes.length > 0 && <h4>{counted(changes.length, "balance change")}</h4>}
      {changes.length > 0 && <Changes changes={changes} />}
      {logs.length > 0 && (
        <details class="part">
          <summary>{counted(logs.length, "log line")}</summary>
          <ol class="hashes" start={0}>
            {logs.map((log, at) => (
              <li key={at}>
                <code>{cutFieldText(log, 400)}</code>
              </li>
            ))}
          </ol>
        </details>
      )}
    </>
  );
}

function Instructions({
  instructions,
  path,
}: {
  readonly instructions: readonly SolanaInstruction[];
  readonly path: string;
}): JSX.Element {
  return (
    <TableFrame label="Instructions" head={["#", "Program", "Kind", "Details"]}>
      {instructions.map(({ place, program, programId, type, info, accounts, data }) => (
        <tr key={place}>
          <th scope="row">{place}</th>
          <td title={programId}>
            {program === programId ? <HexText text={programId} what="the program" /> : program}
          </td>
          <td>{type === undefined ? <span class="quiet">not decoded</span> : cutFieldText(type, 80)}</td>
          <td>
            {info ? (
              <JsonTree value={info} path={`${path}/instruction ${place}`} />
            ) : (
              <JsonTree
                value={{ accounts, ...(data === undefined ? {} : { data }) }}
                path={`${path}/instruction ${place}`}
              />
            )}
          </td>
        </tr>
      ))}
    </TableFrame>
  );
}

function Changes({ changes }: { readonly changes: readonly SolanaChange[] }): JSX.Element {
  return (
    <TableFrame label="Balance changes" head={["Account", "Change", "Token", "Before", "After"]}>
      {changes.map(({ account, mint, by, before, after }, at) => (
        <tr key={at}>
          <td>
            <HexText text={account} what="the address" short />
          </td>
          <td>{by}</td>
          <td>{mint === undefined ? "SOL" : <HexText text={mint} what="the token" short />}</td>
          <td>{before}</td>
          <td>{after}</td>
        </tr>
      ))}
    </TableFrame>
  );
}
