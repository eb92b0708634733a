import { variablesUsedIn } from "../../language/assist/references.ts";
import { memo } from "../../language/memo.ts";
import { type Definition, environmentOfCell, type Project, variableOfCell } from "../../language/project.ts";

/** The results of names by network, while the notebook is open. */
export interface Values {
  /** Undefined if its line was not run, or was changed since. */
  get(project: Project, definition: Definition, network: string): { readonly value: unknown } | undefined;
  set(project: Project, definition: Definition, network: string, value: unknown): void;
  clear(): void;
}

interface Stored {
  readonly source: string;
  readonly value: unknown;
}

export function createValues(): Values {
  const stored = new Map<string, Stored>();
  const keyOf = (project: Project, { cell, text }: Definition, network: string) =>
    JSON.stringify([project.cells[cell]?.key, text, network]);
  return {
    get(project, definition, network) {
      const found = stored.get(keyOf(project, definition, network));
      return found && found.source === sourceOf(project, definition) ? { value: found.value } : undefined;
    },
    set(project, definition, network, value) {
      stored.set(keyOf(project, definition, network), { source: sourceOf(project, definition), value });
    },
    clear: () => stored.clear(),
  };
}

/** The source of a definition. A stored result is valid only for the same source and the same values of variables. */
function sourceOf(project: Project, { cell, statement }: Definition): string {
  const found = project.cells[cell]?.cell;
  if (found?.form !== "lines" || statement < 0) return found?.text ?? "";
  const { offset = 0, statement: one } = found.statements[statement] ?? {};
  return valuesOfVariables(project) + found.text.slice(offset, offset + (one?.end ?? 0)).trim();
}

/** The values of all variables that the notebook uses; empty if it uses none. */
const valuesOfVariables = memo((project: Project): string => {
  const used = new Map<string, string | undefined>();
  project.cells.forEach(({ cell }, index) => {
    const environment = environmentOfCell(project, project.cells[index]);
    for (const { name } of variablesUsedIn(cell).variables) {
      const found = variableOfCell(project, index, name);
      used.set(`${environment} ${name}`, found && "variable" in found ? found.variable.value : undefined);
    }
  });
  return used.size === 0 ? "" : JSON.stringify([...used]);
});

/** The transactions that were sent from this window. */
export interface SentTransactions {
  has(network: string, hash: string): boolean;
  add(network: string, hash: string): void;
}

export function createSentTransactions(): SentTransactions {
  const sent = new Set<string>();
  return {
    has: (network, hash) => sent.has(`${network} ${hash}`),
    add: (network, hash) => void sent.add(`${network} ${hash}`),
  };
}
