// `@give 1000 USDC to $me`: balances that an account has in a simulation.
import { encodeValue } from "../encode/encodeValue.ts";
import type { Value } from "../parse/nodes.ts";
import { directivesOf, indexOfStatement, type Project } from "../project.ts";
import { staticContext } from "./contexts.ts";

/** A balance that a simulation adds. */
export interface Give {
  /** A decimal number in units of the token, or in wei without a token. */
  readonly amount: string;
  /** The address or the symbol of a token; undefined for the coin of the network. */
  readonly token?: string;
  /** The address of the account; undefined for the sender of the transaction. */
  readonly to?: string;
}

type ReadGive = { readonly give: Give } | { readonly problem: string };

const example = "Write the amount and the token: @give 1000 USDC";

/** The `@give` lines of a cell, in order, each read or with its problem. */
export function readGives(project: Project, index: number): readonly ReadGive[] {
  const cell = project.cells[index]?.cell;
  if (cell?.form !== "lines") return [];
  return directivesOf(cell, "give").map(({ offset, statement }) => {
    const context = staticContext(project, index, indexOfStatement(cell, offset), undefined);
    return readGive(statement.args, (value) => {
      const { value: known, isKnown, problems } = encodeValue(value, "json", context);
      return isKnown && problems.length === 0 ? known : undefined;
    });
  });
}

/** The balances that are given in a cell without problems. */
export function givesOf(project: Project, index: number): readonly Give[] {
  return readGives(project, index).flatMap((one) => ("give" in one ? [one.give] : []));
}

function readGive(args: readonly Value[], known: (value: Value) => unknown): ReadGive {
  const [first, ...rest] = args;
  if (!first) return { problem: example };
  const isCoin = first.kind === "number" && first.unit !== undefined;
  const amount = amountOf(first, isCoin, known);
  if (amount === undefined) return { problem: `The amount is a number above 0. ${example}` };
  const [token, after] = isCoin ? [undefined, rest] : [rest[0], rest.slice(1)];
  if (!isCoin && !token) return { problem: example };
  const name = token && tokenOf(token, known);
  if (token && name === undefined)
    return {
      problem: "The token is a symbol, an address, or the name of an address, which is known before the run",
    };
  const given = { amount, ...(name === undefined ? {} : { token: name }) };
  return after.length === 0 ? { give: given } : withReceiver(given, after, known);
}

function withReceiver(
  given: Give,
  [word, account, ...more]: readonly Value[],
  known: (value: Value) => unknown,
): ReadGive {
  const to = account && addressOf(account, known);
  const isTo = word?.kind === "word" && word.text === "to";
  if (!isTo || to === undefined || more.length > 0)
    return { problem: "After the token only the account can follow: @give 1000 USDC to $me" };
  return { give: { ...given, to } };
}

/** Wei of a coin, else the decimal number as it is written. */
function amountOf(value: Value, isCoin: boolean, known: (value: Value) => unknown): string | undefined {
  const text =
    value.kind === "number" && !isCoin ? value.text.replaceAll("_", "") : String(known(value) ?? "");
  const plain = /^0x[0-9a-fA-F]{1,64}$/.test(text) ? String(BigInt(text)) : text;
  return /^\d{1,78}(?:\.\d{1,78})?$/.test(plain) && /[1-9]/.test(plain) ? plain : undefined;
}

function tokenOf(value: Value, known: (value: Value) => unknown): string | undefined {
  if (value.kind === "word") return value.text;
  if (value.kind === "string" && /^[\w.$-]{1,32}$/.test(value.value)) return value.value;
  return addressOf(value, known);
}

function addressOf(value: Value, known: (value: Value) => unknown): string | undefined {
  const text = value.kind === "hex" ? value.text : known(value);
  return typeof text === "string" && /^0x[0-9a-fA-F]{40}$/.test(text) ? text : undefined;
}
