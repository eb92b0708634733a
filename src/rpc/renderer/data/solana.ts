import { exactJsonText } from "../../../shared/text/json/exactJson.ts";
import { isList, isObject, type JsonObject } from "../../output/json.ts";
import type { Json } from "../../output/rpcOutput.ts";
import { scaled } from "../../output/scaled.ts";
import { solanaProgramName } from "../../output/solanaPrograms.ts";
import { cutFieldText } from "./fields/fieldText.ts";
import { counted, toWhole } from "./fields/numbers.ts";

/** A result of Solana, by its shape. The shapes are those of https://solana.com/docs/rpc/http. */
export type SolanaResult =
  | { readonly kind: "lamports"; readonly lamports: bigint; readonly slot: Json | undefined }
  | { readonly kind: "account"; readonly account: JsonObject | null; readonly slot: Json | undefined }
  | { readonly kind: "accounts"; readonly rows: readonly JsonObject[]; readonly slot: Json | undefined }
  | { readonly kind: "transaction"; readonly transaction: JsonObject };

export function readSolana(result: Json): SolanaResult | undefined {
  const { value, slot, isInContext } = outOfContext(result);
  const lamports = typeof value === "number" || typeof value === "bigint" ? toWhole(value) : undefined;
  if (lamports !== undefined) return { kind: "lamports", lamports, slot };
  if (isInContext && (value === null || isAccount(value)))
    return { kind: "account", account: value as JsonObject | null, slot };
  if (isList(value) && value.length > 0) {
    const rows = value.map(accountRow);
    return rows.every((row) => row !== undefined) ? { kind: "accounts", rows, slot } : undefined;
  }
  if (isObject(value) && isObject(value.transaction) && isObject(value.transaction.message))
    return { kind: "transaction", transaction: value };
  return undefined;
}

/** The value of a result with the slot that it was read at, or the result itself. */
function outOfContext(result: Json) {
  if (!isObject(result) || !isObject(result.context) || !("value" in result))
    return { value: result, slot: undefined, isInContext: false };
  return { value: result.value ?? null, slot: result.context.slot, isInContext: true };
}

function isAccount(value: Json | undefined): value is JsonObject {
  return isObject(value) && "lamports" in value && "owner" in value;
}

/** An account of a list as a row of a table. Its address is not part of every list. */
function accountRow(value: Json): JsonObject | undefined {
  if (value === null) return { account: "does not exist" };
  if (!isObject(value)) return undefined;
  const { pubkey, account, address, lamports } = value;
  const facts = [value, account].find(isAccount);
  if (facts) return { ...(pubkey === undefined ? {} : { address: pubkey }), ...accountFacts(facts) };
  return address !== undefined && lamports !== undefined ? value : undefined;
}

/** The members of an account that say more than its bytes. */
export function accountFacts(account: JsonObject): JsonObject {
  const { lamports = null, owner = null, executable = null, data } = account;
  const info = isObject(data) && isObject(data.parsed) ? data.parsed.info : undefined;
  const amount = isObject(info) && isObject(info.tokenAmount) ? info.tokenAmount.uiAmountString : undefined;
  return {
    lamports,
    owner,
    executable,
    "data length": dataLength(account) ?? null,
    ...(isObject(data) && typeof data.program === "string" ? { program: data.program } : {}),
    ...(isObject(info) && typeof info.mint === "string" ? { mint: info.mint } : {}),
    ...(typeof amount === "string" ? { amount } : {}),
  };
}

/** The bytes of an account's data: as stated, or counted from Base64. */
function dataLength({ space, data }: JsonObject): bigint | undefined {
  const stated = toWhole(space);
  if (stated !== undefined) return stated;
  const [text, encoding] = isList(data) ? data : [];
  if (typeof text !== "string" || encoding !== "base64" || text.endsWith("…")) return undefined;
  return BigInt((text.length / 4) * 3 - (text.endsWith("==") ? 2 : Number(text.endsWith("="))));
}

/** An amount of lamports: `1.5 SOL`. */
export function solText(lamports: bigint): string {
  const [whole = "", fraction] = scaled(lamports < 0n ? -lamports : lamports, 9).split(".");
  const sign = lamports < 0n ? "-" : "";
  return `${sign}${BigInt(whole).toLocaleString("en-US")}${fraction === undefined ? "" : `.${fraction}`} SOL`;
}

export function programText(address: string): string {
  return solanaProgramName(address) ?? address;
}

export interface SolanaInstruction {
  /** `1`, and `1.2` for one that an instruction called. */
  readonly place: string;
  readonly programId: string;
  /** The name of the program, else its address. */
  readonly program: string;
  /** The kind that the node decoded, `transfer`. */
  readonly type: string | undefined;
  readonly info: JsonObject | undefined;
  readonly accounts: readonly string[];
  readonly data: string | undefined;
}

/** A change of a balance. `mint` is undefined for lamports. */
export interface SolanaChange {
  readonly account: string;
  readonly mint: string | undefined;
  readonly before: string;
  readonly after: string;
  readonly by: string;
}

export interface SolanaTransaction {
  /** The reason of the failure; undefined if the transaction succeeded or its status is unknown. */
  readonly error: string | undefined;
  readonly hasMeta: boolean;
  readonly fee: bigint | undefined;
  readonly signers: readonly string[];
  readonly signature: Json | undefined;
  readonly instructions: readonly SolanaInstruction[];
  readonly changes: readonly SolanaChange[];
  readonly logs: readonly string[];
}

/** Parts of a list that are shown; a node returns far fewer. */
const mostParts = 300;

export function readSolanaTransaction({ transaction, meta: given }: JsonObject): SolanaTransaction {
  const sent = objectOf(transaction);
  const message = objectOf(sent.message);
  const meta = objectOf(given);
  const keys = accountKeys(message, meta);
  const inner = new Map(
    objectsIn(meta.innerInstructions).map(
      ({ index, instructions }) => [String(index), instructions] as const,
    ),
  );
  const instructions = objectsIn(message.instructions).flatMap((one, at) => [
    readInstruction(one, `${at + 1}`, keys),
    ...objectsIn(inner.get(String(at))).map((called, place) =>
      readInstruction(called, `${at + 1}.${place + 1}`, keys),
    ),
  ]);
  return {
    error: errorText(meta.err, instructions),
    hasMeta: isObject(given),
    fee: toWhole(meta.fee),
    signers: signersOf(message, keys),
    signature: isList(sent.signatures) ? sent.signatures[0] : undefined,
    instructions: instructions.slice(0, mostParts),
    changes: [...lamportChanges(meta, keys), ...tokenChanges(meta, keys)].slice(0, mostParts),
    logs: isList(meta.logMessages) ? meta.logMessages.slice(0, mostParts).map(String) : [],
  };
}

function objectOf(value: Json | undefined): JsonObject {
  return isObject(value) ? value : {};
}

function objectsIn(value: Json | undefined): readonly JsonObject[] {
  return isList(value) ? value.slice(0, mostParts).filter(isObject) : [];
}

/** The accounts in the order of their indexes: those of the message, then those of lookup tables. */
function accountKeys({ accountKeys: own }: JsonObject, { loadedAddresses }: JsonObject): readonly string[] {
  const listed = isList(own) ? own.map((key) => String(isObject(key) ? key.pubkey : key)) : [];
  const isParsed = isList(own) && own.some(isObject);
  const { writable, readonly } = objectOf(loadedAddresses);
  // The parsed form lists the accounts of lookup tables itself.
  const loaded = isParsed
    ? []
    : [writable, readonly].flatMap((list) => (isList(list) ? list.map(String) : []));
  return [...listed, ...loaded];
}

function signersOf({ accountKeys: own, header }: JsonObject, keys: readonly string[]): readonly string[] {
  if (isList(own) && own.some(isObject))
    return own.flatMap((key) => (isObject(key) && key.signer === true ? String(key.pubkey) : []));
  const count = toWhole(objectOf(header).numRequiredSignatures) ?? 0n;
  return keys.slice(0, Number(count));
}

function readInstruction(one: JsonObject, place: string, keys: readonly string[]): SolanaInstruction {
  const keyAt = (index: Json | undefined) => keys[Number(index)] ?? `account ${String(index)}`;
  const programId = typeof one.programId === "string" ? one.programId : keyAt(one.programIdIndex);
  const accounts = isList(one.accounts) ? one.accounts : [];
  const parsed = isObject(one.parsed) ? one.parsed : undefined;
  return {
    place,
    programId,
    program: programText(programId),
    type: typeof parsed?.type === "string" ? parsed.type : undefined,
    // The Memo Program is parsed to a text.
    info: parsed ? objectOf(parsed.info) : typeof one.parsed === "string" ? { text: one.parsed } : undefined,
    accounts: accounts.map((account) => (typeof account === "string" ? account : keyAt(account))),
    data: typeof one.data === "string" ? one.data : undefined,
  };
}

/** `Instruction 2 (Token Program): custom error 1 (0x1)`. */
function errorText(error: Json | undefined, instructions: readonly SolanaInstruction[]): string | undefined {
  if (error === undefined || error === null) return undefined;
  const failed = isObject(error) ? error.InstructionError : undefined;
  if (!isList(failed)) return cutFieldText(typeof error === "string" ? error : exactJsonText(error), 400);
  const [index, reason = null] = failed;
  const place = String(Number(index) + 1);
  const program = instructions.find((one) => one.place === place)?.program;
  const custom = isObject(reason) ? toWhole(reason.Custom) : undefined;
  const words =
    custom === undefined
      ? typeof reason === "string"
        ? reason
        : exactJsonText(reason)
      : `custom error ${custom} (0x${custom.toString(16)})`;
  return cutFieldText(`Instruction ${place}${program ? ` (${program})` : ""}: ${words}`, 400);
}

function lamportChanges(meta: JsonObject, keys: readonly string[]): readonly SolanaChange[] {
  const { preBalances: pre, postBalances: post } = meta;
  if (!isList(pre) || !isList(post)) return [];
  return pre.flatMap((before, at) => {
    const [from, to] = [toWhole(before), toWhole(post[at])];
    if (from === undefined || to === undefined || from === to) return [];
    const account = keys[at] ?? `account ${at}`;
    return {
      account,
      mint: undefined,
      before: solText(from),
      after: solText(to),
      by: signed(to - from, solText),
    };
  });
}

function tokenChanges(meta: JsonObject, keys: readonly string[]): readonly SolanaChange[] {
  const sides = [meta.preTokenBalances, meta.postTokenBalances].map(
    (list) => new Map(objectsIn(list).map((one) => [`${one.accountIndex} ${one.mint}`, one])),
  );
  const [pre = new Map<string, JsonObject>(), post = new Map<string, JsonObject>()] = sides;
  return [...new Set([...pre.keys(), ...post.keys()])].flatMap((key) => {
    const [before, after] = [pre.get(key), post.get(key)];
    const known = after ?? before;
    const decimals = Number(objectOf(known?.uiTokenAmount).decimals);
    const [from, to] = [amountOf(before), amountOf(after)];
    if (!known || from === to || !Number.isInteger(decimals) || decimals < 0 || decimals > 255) return [];
    const text = (value: bigint) => (decimals === 0 ? String(value) : scaled(value, decimals));
    return {
      account: String(known.owner ?? keys[Number(known.accountIndex)] ?? ""),
      mint: String(known.mint ?? ""),
      before: text(from),
      after: text(to),
      by: signed(to - from, text),
    };
  });
}

function amountOf(balance: JsonObject | undefined): bigint {
  return toWhole(objectOf(balance?.uiTokenAmount).amount) ?? 0n;
}

function signed(value: bigint, text: (value: bigint) => string): string {
  return value > 0n ? `+${text(value)}` : text(value);
}

/** A result as a short text, for tables. */
export function solanaText(result: Json): string | undefined {
  const read = readSolana(result);
  switch (read?.kind) {
    case "lamports":
      return solText(read.lamports);
    case "account": {
      if (!read.account) return "no such account";
      const { lamports, owner } = read.account;
      return `${solText(toWhole(lamports) ?? 0n)}, owned by ${programText(String(owner))}`;
    }
    case "accounts":
      return counted(read.rows.length, "account");
    case "transaction": {
      const { error, fee, instructions } = readSolanaTransaction(read.transaction);
      const state = error === undefined ? "succeeded" : `failed: ${error}`;
      return `${state}, ${counted(instructions.length, "instruction")}${fee === undefined ? "" : `, fee ${solText(fee)}`}`;
    }
    default:
      return undefined;
  }
}
