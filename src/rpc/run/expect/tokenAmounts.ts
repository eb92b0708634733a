// Amounts of tokens in their unit, beside the exact number.

import { isList, isObject } from "../../output/json.ts";
import type {
  Json,
  RpcEvent,
  RpcLine,
  RpcOutcome,
  RpcOutput,
  RpcSimulation,
  RpcValue,
} from "../../output/rpcOutput.ts";
import { scaled } from "../../output/scaled.ts";
import type { CellRun } from "../cellRun.ts";
import { knownToken, type TokenUnit } from "../lookUp/knownTokens.ts";
import type { LineState } from "../round.ts";

type TokenOf = (address: unknown) => TokenUnit | undefined;

/** The output with the amounts of tokens in their unit: of calls, logs, transactions and simulations. */
export function withTokens(output: RpcOutput, { rounds, lookedUp }: CellRun): RpcOutput {
  const states = rounds.flatMap(({ lines }) => lines);
  const lines = output.lines.map((line, at) => {
    const tokenOf: TokenOf = (address) =>
      typeof address === "string"
        ? (knownToken(line.network, address, output.isPlayMoney === true) ??
          lookedUp.tokens.get(`${line.network} ${address.toLowerCase()}`) ??
          undefined)
        : undefined;
    return lineWithTokens(line, states[at], tokenOf);
  });
  return { ...output, lines };
}

function lineWithTokens(line: RpcLine, state: LineState | undefined, tokenOf: TokenOf): RpcLine {
  const { outcome, simulation } = line;
  return {
    ...line,
    outcome: outcomeWithTokens(outcome, state, tokenOf),
    ...(simulation ? { simulation: simulationWithTokens(simulation, tokenOf) } : {}),
  };
}

function outcomeWithTokens(outcome: RpcOutcome, state: LineState | undefined, tokenOf: TokenOf): RpcOutcome {
  if (outcome.kind !== "result" || !outcome.decoded) return outcome;
  const { decoded, value } = outcome;
  if (decoded.kind === "values") {
    const { decoding } = state ?? {};
    const token = decoding?.by === "call" ? tokenOf(decoding.to) : undefined;
    if (!token || !readsAmount(decoding?.signature ?? "")) return outcome;
    return { ...outcome, decoded: { ...decoded, values: decoded.values.map((one) => inUnit(one, token)) } };
  }
  if (decoded.kind === "events")
    return {
      ...outcome,
      decoded: { ...decoded, events: eventsWithTokens(decoded.events, logsOf(value), tokenOf) },
    };
  // In a trace several contracts can get the same calldata.
  const to = isObject(value) && typeof value.input === "string" ? tokenOf(value.to) : undefined;
  if (!to || decoded.calls.length !== 1) return outcome;
  const calls = decoded.calls.map((call) =>
    movesAmount.has(call.name) ? { ...call, values: lastInUnit(call.values, to) } : call,
  );
  return { ...outcome, decoded: { ...decoded, calls } };
}

/** True for a function of ERC-20 whose result is an amount. */
export function readsAmount(signature: string): boolean {
  return /^\s*(?:function\s+)?(?:balanceOf|allowance|totalSupply)\s*\(/.test(signature);
}

const movesAmount: ReadonlySet<string> = new Set(["transfer", "transferFrom", "approve"]);

function simulationWithTokens(simulation: RpcSimulation, tokenOf: TokenOf): RpcSimulation {
  const { tokens, events, logs } = simulation;
  return {
    ...simulation,
    ...(events && logs ? { events: eventsWithTokens(events, logs, tokenOf) } : {}),
    ...(tokens
      ? {
          tokens: tokens.map((one) => {
            const token = one.kind === "ERC-20" ? tokenOf(one.token) : undefined;
            return token ? { ...one, amount: amountText(BigInt(one.value), token) } : one;
          }),
        }
      : {}),
  };
}

function eventsWithTokens(
  events: readonly (RpcEvent | null)[],
  logs: readonly { readonly [name: string]: Json }[],
  tokenOf: TokenOf,
): readonly (RpcEvent | null)[] {
  return events.map((event, at) => {
    const { address, topics } = logs[at] ?? {};
    const isAmount =
      event && /^(?:Transfer|Approval)$/.test(event.name) && isList(topics) && topics.length === 3;
    const token = isAmount ? tokenOf(address) : undefined;
    return event && token ? { ...event, values: lastInUnit(event.values, token) } : event;
  });
}

function lastInUnit(values: readonly RpcValue[], token: TokenUnit): readonly RpcValue[] {
  return values.map((one, at) => (at === values.length - 1 ? inUnit(one, token) : one));
}

function inUnit(value: RpcValue, token: TokenUnit): RpcValue {
  if (value.type !== "uint256" || typeof value.value !== "string") return value;
  return { ...value, amount: amountText(BigInt(value.value), token) };
}

/** The amount of an approval without a limit. */
const unlimited = 2n ** 256n - 1n;

function amountText(amount: bigint, { symbol, decimals }: TokenUnit): string {
  const text = decimals === 0 ? String(amount) : scaled(amount, decimals);
  return `${amount === unlimited ? "unlimited" : text} ${symbol}`;
}

/** The logs of a result or a receipt. */
function logsOf(value: Json): readonly { readonly [name: string]: Json }[] {
  const list = isObject(value) ? value.logs : value;
  return isList(list) ? list.map((one) => (isObject(one) ? one : {})) : [];
}
