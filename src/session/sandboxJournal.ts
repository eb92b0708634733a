import { writeDurably } from "../platform/durableFile.ts";
import { createJournal } from "../platform/journal.ts";

/** Lines of earlier sandboxes, and the sink for new ones (the sandbox's option `journal`). */
export interface SandboxJournal {
  readonly lines: readonly string[];
  append(lines: readonly string[]): void;
  replace(lines: readonly string[]): void;
}

/**
 * Opens the journal of the sandbox's keys and bill. If it can't be read or written, the error is reported and the
 * sandbox forgets its keys and bill at its end.
 */
export async function openSandboxJournal(
  path: string,
  report: (error: unknown) => void,
): Promise<SandboxJournal> {
  const journal = createJournal(path);
  let work = Promise.resolve();
  const afterOthers = (task: () => Promise<void>) => {
    work = work.then(task).catch(report);
  };
  const lines = await journal.read().catch((error: unknown) => {
    report(error);
    return [];
  });
  return {
    lines,
    append: (more) => afterOthers(() => journal.append(more)),
    replace: (others) => afterOthers(() => writeDurably(path, others.map((line) => `${line}\n`).join(""))),
  };
}
