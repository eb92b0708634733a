import { createJournal } from "../../platform/files/durable/journal.ts";

/** Lines of earlier sandboxes, and the sink for new ones (the sandbox's option `journal`). */
export interface SandboxJournal {
  readonly lines: readonly string[];
  append(lines: readonly string[]): void;
  replace(lines: readonly string[]): void;
}

/**
 * Opens the journal of the sandbox's keys and bill. If it can't be read, the error is reported and the sandbox
 * begins anew. What can't be written is kept, and written later.
 */
export async function openSandboxJournal(
  path: string,
  report: (error: unknown) => void,
): Promise<SandboxJournal> {
  const journal = createJournal(path, {
    onDamaged: (count) => report(new Error(`${count} lines of ${path} are damaged`)),
    onKept: (error) => report(error),
  });
  const lines = await journal.read().catch((error: unknown) => {
    report(error);
    return [];
  });
  return {
    lines,
    append: (more) => void journal.keep(more),
    replace: (others) => void journal.replace(others).catch(report),
  };
}
