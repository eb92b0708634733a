import type { Definition, Project } from "../language/project.ts";

/** The results that names stand for, by network, for as long as the notebook is open. */
export interface Values {
  /** Undefined where its line was not asked, or was changed since. */
  get(project: Project, definition: Definition, network: string): { readonly value: unknown } | undefined;
  set(project: Project, definition: Definition, network: string, value: unknown): void;
  clear(): void;
}

interface Kept {
  readonly source: string;
  readonly value: unknown;
}

export function createValues(): Values {
  const kept = new Map<string, Kept>();
  const keyOf = (project: Project, { cell, text }: Definition, network: string) =>
    JSON.stringify([project.cells[cell]?.key, text, network]);
  return {
    get(project, definition, network) {
      const found = kept.get(keyOf(project, definition, network));
      return found && found.source === sourceOf(project, definition) ? { value: found.value } : undefined;
    },
    set(project, definition, network, value) {
      kept.set(keyOf(project, definition, network), { source: sourceOf(project, definition), value });
    },
    clear: () => kept.clear(),
  };
}

/** What was asked: another question has another answer. */
function sourceOf(project: Project, { cell, statement }: Definition): string {
  const found = project.cells[cell]?.cell;
  if (found?.form !== "lines" || statement < 0) return found?.text ?? "";
  const { offset = 0, statement: one } = found.statements[statement] ?? {};
  return found.text.slice(offset, offset + (one?.end ?? 0)).trim();
}
