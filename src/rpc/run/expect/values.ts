import { variablesUsedIn } from "../../language/assist/references.ts";
import { type HideSecrets, hidingForms } from "../../language/environment/environments.ts";
import { formsOfResult } from "../../language/environment/secretResults.ts";
import { memo } from "../../language/memo.ts";
import { type Definition, environmentOfCell, type Project, variableOfCell } from "../../language/project.ts";

/** A name as its result is stored. A result is valid only for the same source. */
export interface StoredName {
  /** Of the cell. */
  readonly key: string | undefined;
  readonly text: string;
  /** The statement, with the values of all variables of the notebook. */
  readonly source: string;
}

/** The results of names by network, while the notebook is open. */
export class Values {
  readonly #stored = new Map<string, { readonly source: string; readonly value: unknown }>();
  /** The forms of the secrets among them, former ones too. */
  readonly #secrets = new Set<string>();
  #hide: HideSecrets | undefined;

  /** Undefined if its line was not run, or was changed since. */
  get(name: StoredName, network: string): { readonly value: unknown } | undefined {
    const found = this.#stored.get(keyOf(name, network));
    return found && found.source === name.source ? { value: found.value } : undefined;
  }

  set(name: StoredName, network: string, value: unknown): void {
    this.#stored.set(keyOf(name, network), { source: name.source, value });
  }

  /** Stores a result that is shown nowhere. */
  setSecret(name: StoredName, network: string, value: unknown): void {
    this.set(name, network, value);
    for (const form of formsOfResult(value)) this.#secrets.add(form);
    this.#hide = undefined;
  }

  /** Replaces the secrets among the results in a text. */
  hide(text: string): string {
    if (this.#secrets.size === 0) return text;
    this.#hide ??= hidingForms([...this.#secrets]);
    return this.#hide(text);
  }

  get hasSecrets(): boolean {
    return this.#secrets.size > 0;
  }

  clear(): void {
    this.#stored.clear();
  }
}

function keyOf({ key, text }: StoredName, network: string): string {
  return JSON.stringify([key, text, network]);
}

export function storedName(project: Project, definition: Definition): StoredName {
  const { cell, text } = definition;
  return { key: project.cells[cell]?.key, text, source: sourceOf(project, definition) };
}

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
export class SentTransactions {
  readonly #sent = new Set<string>();

  has(network: string, hash: string): boolean {
    return this.#sent.has(`${network} ${hash}`);
  }

  add(network: string, hash: string): void {
    this.#sent.add(`${network} ${hash}`);
  }
}
