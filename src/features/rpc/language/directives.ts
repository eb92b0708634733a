import { scaledNumber } from "./numbers.ts";
import type { Cell } from "./parseCell.ts";
import { directivesOf } from "./project.ts";

export const directives: ReadonlyMap<string, string> = new Map(
  Object.entries({
    network:
      "Which network is asked: `@network base-mainnet`. Several make a comparison. `local` is a node on this machine.",
    every:
      "Ask again and again: `@every 6s`. Runs only when you run the cell, until @times, @budget or Stop.",
    times: "How often @every asks at most: `@times 20`. 10 unless told.",
    budget: "The credits that @every spends at most: `@budget 2000`.",
    order:
      "`@order serial` sends line by line; `@order batch`, the default, sends all that can go together at once.",
    abi: 'What events, errors and functions look like: `@abi "event Moved(address indexed who, uint256 to)"`, or a file that a compiler wrote, `@abi "out/Token.sol/Token.json"`. Their names will do for `call` and `logs`.',
    view: "How results are shown: `@view table`, `tree` or `json`.",
    allow: "Methods to send although they are on no list: `@allow eth_simulateV1`.",
  }),
);

/** How often a polling cell asks unless it is told. */
export const defaultTimes = 10;
export const maxTimes = 1000;
/** So that a slip of a finger can't fill the minute's 100 requests. */
export const leastEveryMs = 1000;

export interface Polling {
  readonly everyMs: number;
  readonly times: number;
  readonly budgetCredits: number | undefined;
}

/** How a cell polls; undefined where it asks once. */
export function pollingOf(cell: Cell): Polling | undefined {
  const everyMs = firstNumber(cell, "every", 1000);
  if (everyMs === undefined) return undefined;
  return {
    everyMs: Math.max(leastEveryMs, everyMs),
    times: Math.min(maxTimes, Math.max(1, firstNumber(cell, "times") ?? defaultTimes)),
    budgetCredits: firstNumber(cell, "budget"),
  };
}

export function isSerial(cell: Cell): boolean {
  return directivesOf(cell, "order").some(
    ({ statement: { args } }) => args[0]?.kind === "word" && args[0].text === "serial",
  );
}

function firstNumber(cell: Cell, word: string, factor = 1): number | undefined {
  const [arg] = directivesOf(cell, word)[0]?.statement.args ?? [];
  if (arg?.kind !== "number") return undefined;
  const number = Number(scaledNumber(arg)) * factor;
  return Number.isFinite(number) ? Math.trunc(number) : undefined;
}
