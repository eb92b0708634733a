import { directivesOf, textOf } from "../project.ts";
import type { Cell } from "./parseCell.ts";
import { scaledNumber } from "./tokens/numbers.ts";

export const directives: ReadonlyMap<string, string> = new Map(
  Object.entries({
    network:
      "The network of the cell: `@network base-mainnet`. Several networks are compared. `local` is a node on this machine.",
    env: "The environment of the cell: `@env staging` takes `{{NAME}}` from the file `staging.rpc.env`, beside the notebook or in a folder above it.",
    every: "Repeats the cell when you run it: `@every 6s`. Ends at @times, @budget or Stop.",
    watch:
      "`@watch logs` polls the log lines of the cell and collects new logs, newest first, without duplicates. Logs that a reorganization removed are marked. `@every`, `@times` and `@budget` apply; the default interval is 12 s.",
    times: "The maximum number of runs with @every: `@times 20`. The default is 10.",
    budget: "The maximum of credits that @every spends: `@budget 2000`.",
    order: "`@order serial` sends line by line. `@order batch`, the default, combines lines into batches.",
    abi: 'Declares events, errors and functions: `@abi "event Moved(address indexed who, uint256 to)"`, or a compiler artifact, `@abi "out/Token.sol/Token.json"`. `call` and `logs` can then use their names.',
    lookup:
      "`@lookup tokens` reads symbol and decimals of tokens in the results, `@lookup names` the ENS names of addresses: by one eth_call each, for up to 25 of them. `@lookup tokens names` does both.",
    give: "Balances in a simulation: `@give 1000 USDC` adds to the balance of the sender before *Simulate* executes the cell's transactions, `@give 5 ether to 0x…` to that of another account. A token is named by its symbol or address. A run that sends is not changed.",
    view: "The view of results: `@view table`, `tree` or `json`.",
    secret:
      "Keeps results as secrets: `@secret session` for a line `session = …`. Other lines can use `$session`, but results, errors, past runs, reports and recorded requests show `***`.",
    idempotency:
      "A key of your own for the one request of the cell: `@idempotency nightly-check-1`. For 24 hours the service answers the same request with the same key from its store: free, but as it was then. Another request with the key is refused. The key has 1 to 255 of A-Z, a-z, 0-9, _ and -.",
    allow: "Sends methods that are not on the service's list: `@allow eth_simulateV1`.",
  }),
);

/** Runs of a polling cell without @times. */
export const defaultTimes = 10;
export const maxTimes = 1000;
/** Interval of a watch without @every: the time between blocks of Ethereum. */
const watchEveryMs = 12_000;
/** Minimum interval, so that a typo can't use up the limit of 100 requests a minute. */
export const leastEveryMs = 1000;

export interface Polling {
  readonly everyMs: number;
  readonly times: number;
  readonly budgetCredits: number | undefined;
}

/** The polling settings of a cell; undefined if it runs once. */
export function pollingOf(cell: Cell): Polling | undefined {
  const everyMs = firstNumber(cell, "every", 1000) ?? (watchesLogs(cell) ? watchEveryMs : undefined);
  if (everyMs === undefined) return undefined;
  return {
    everyMs: Math.max(leastEveryMs, everyMs),
    times: Math.min(maxTimes, Math.max(1, firstNumber(cell, "times") ?? defaultTimes)),
    budgetCredits: firstNumber(cell, "budget"),
  };
}

/** True for a cell with `@watch logs`. */
export function watchesLogs(cell: Cell): boolean {
  return cell.form === "lines" && hasWord(cell, "watch", "logs");
}

export const lookUpKinds = ["tokens", "names"] as const;
export type LookUpKind = (typeof lookUpKinds)[number];

/** The look-ups that a cell can request for its results. Each costs a call. */
export function lookUpsOf(cell: Cell): readonly LookUpKind[] {
  if (cell.form !== "lines") return [];
  const words = directivesOf(cell, "lookup").flatMap(({ statement }) => statement.args.flatMap(textOf));
  return lookUpKinds.filter((kind) => words.includes(kind));
}

export function isSerial(cell: Cell): boolean {
  return hasWord(cell, "order", "serial");
}

function hasWord(cell: Cell, directive: string, word: string): boolean {
  return directivesOf(cell, directive).some(
    ({ statement: { args } }) => args[0]?.kind === "word" && args[0].text === word,
  );
}

function firstNumber(cell: Cell, word: string, factor = 1): number | undefined {
  const [arg] = directivesOf(cell, word)[0]?.statement.args ?? [];
  if (arg?.kind !== "number") return undefined;
  const number = Number(scaledNumber(arg)) * factor;
  return Number.isFinite(number) ? Math.trunc(number) : undefined;
}
