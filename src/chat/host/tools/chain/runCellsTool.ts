import { isDeepStrictEqual } from "node:util";
import { Refusal } from "../../../../platform/errors/refusal.ts";
import { plural } from "../../../../shared/text/plural.ts";
import { inputText, type ToolInput, toolSchema } from "../../../../tools/serviceTool.ts";
import { builtIn, type ChatTool } from "../tool.ts";
import { factsOfRun, namedCells, type RunFacts, type ShownNotebook } from "./cellsToRun.ts";

/** The chain notebooks of the window. Border to the editor. */
export interface ChainNotebooks {
  /** Opens a notebook without showing it. Throws a Refusal if it is none. */
  open(path: string): Promise<ShownNotebook>;
  /** The notebook, if it is open. */
  opened(path: string): ShownNotebook | undefined;
  /** Shows and runs cells, by their indexes. Resolves with their outputs as text when all have ended. */
  run(
    path: string,
    cells: readonly number[],
    simulates: boolean,
    signal: AbortSignal,
  ): Promise<readonly CellResult[]>;
}

export interface CellResult {
  /** Undefined if the cell has not run. */
  readonly isFine: boolean | undefined;
  readonly text: string;
}

/** Characters of the result of each cell, and of all. */
const maxCell = 6_000;
const maxAll = 20_000;
/** A cell may wait for a transaction, or for the user's answer to a question. */
const timeoutMs = 600_000;

/** The tool that runs cells of a chain notebook. What sends a transaction asks in a dialog of the notebook, too. */
export function createRunCellsTool(notebooks: ChainNotebooks): ChatTool {
  /** What the user was shown of each call. */
  const shown = new Map<string, RunFacts>();
  const factsOf = (input: ToolInput): RunFacts | undefined => {
    const notebook = notebooks.opened(inputText(input, "path"));
    if (!notebook) return undefined;
    try {
      return factsOfRun(notebook, namedCells(notebook, numbersIn(input)), simulates(input));
    } catch {
      // The run says why.
      return undefined;
    }
  };
  return {
    ...builtIn("run_chain_cells", "Run cells of a chain notebook", "network"),
    description:
      "Runs rpc cells of a chain notebook (*.rpc.md), with the cells they need, and returns their results. Write cells with edit_notebook or write_file first. simulate: transactions are executed without being sent.",
    parameters: toolSchema(
      {
        path: { type: "string", minLength: 1 },
        cells: {
          type: "array",
          maxItems: 500,
          items: { type: "integer", minimum: 1 },
          description: "Numbers in the notebook; all if absent.",
        },
        simulate: { type: "boolean" },
      },
      ["cells", "simulate"],
    ),
    price: "credits by the cells",
    timeoutMs,
    // What only reads may be approved for more than one call.
    scopes: (input) => (changes(factsOf(input)) ? [] : ["cells that only read"]),
    alwaysAsks: (input) => changes(factsOf(input)),
    async prepare(input) {
      await notebooks.open(inputText(input, "path")).catch(() => undefined);
      const facts = factsOf(input);
      if (facts) shown.set(keyOf(input), facts);
      else shown.delete(keyOf(input));
    },
    summary(input) {
      const numbers = numbersIn(input);
      const which =
        numbers.length === 0 ? "all cells" : `cell${numbers.length > 1 ? "s" : ""} ${numbers.join(", ")}`;
      const head = `${simulates(input) ? "Simulate" : "Run"} ${which} of ${inputText(input, "path")}`;
      const facts = shown.get(keyOf(input));
      return facts ? `${head}: ${wordsOf(facts)}` : head;
    },
    async run(input, signal) {
      const path = inputText(input, "path");
      const notebook = await notebooks.open(path);
      const wanted = namedCells(notebook, numbersIn(input));
      const facts = factsOfRun(notebook, wanted, simulates(input));
      const approved = shown.get(keyOf(input));
      // Only reads may run without a card. What a card showed must still be what runs, to the letter if it changes a chain.
      if (approved ? !isDeepStrictEqual(approved, facts) : changes(facts))
        throw new Refusal(
          `Nothing was run, because the cells are not what the user was shown. Now: ${wordsOf(facts)}. Call it again.`,
        );
      return resultText(wanted, await notebooks.run(path, wanted, simulates(input), signal));
    },
  };
}

/** True for a run that may change a chain or a node, or of which nothing is known. */
function changes(facts: RunFacts | undefined): boolean {
  return facts === undefined || facts.changing.length > 0;
}

function wordsOf({ price, changing }: RunFacts): string {
  if (changing.length === 0) return price;
  return `${price}. It may change a chain: ${changing.slice(0, 5).join(", ")}`;
}

function keyOf(input: ToolInput): string {
  return JSON.stringify([inputText(input, "path"), numbersIn(input), simulates(input)]);
}

function simulates(input: ToolInput): boolean {
  return input.simulate === true;
}

function numbersIn({ cells }: ToolInput): readonly number[] {
  return Array.isArray(cells) ? cells.filter((one): one is number => typeof one === "number") : [];
}

function resultText(wanted: readonly number[], results: readonly CellResult[]): string {
  const failed = results.filter(({ isFine }) => isFine === false).length;
  const left = results.filter(({ isFine }) => isFine === undefined).length;
  const facts = [
    `${plural(results.length - failed - left, "cell")} passed`,
    ...(failed > 0 ? [`${failed} failed`] : []),
    ...(left > 0 ? [`${left} not run`] : []),
  ];
  let room = maxAll;
  const texts = results.map(({ isFine, text }, at) => {
    const end = isFine === undefined ? "not run" : isFine ? "passed" : "failed";
    const shown = text.slice(0, Math.min(maxCell, room));
    room -= shown.length;
    const cut = shown.length < text.length ? `\n… (${text.length - shown.length} more characters)` : "";
    return `[cell ${(wanted[at] ?? 0) + 1}] ${end}\n${shown}${cut}`.trim();
  });
  return [`${facts.join(", ")}.`, ...texts].join("\n\n");
}
