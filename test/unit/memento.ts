import type { Memento } from "vscode";

/** The state of a window, as VS Code stores it. */
export function memento(): Pick<Memento, "get" | "update"> {
  const stored = new Map<string, unknown>();
  return {
    get: (key: string, absent?: unknown) => stored.get(key) ?? absent,
    update: async (key: string, value: unknown) => void stored.set(key, structuredClone(value)),
  } as Pick<Memento, "get" | "update">;
}
