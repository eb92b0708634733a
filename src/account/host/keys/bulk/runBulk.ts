import * as vscode from "vscode";
import { warnModally } from "../../../../platform/editor/dialogs/modal.ts";
import { withProgress } from "../../../../platform/editor/dialogs/progress.ts";
import { withoutLinks } from "../../../../shared/text/html/withoutLinks.ts";
import { type BulkWords, bulkReport } from "./bulkReport.ts";
import type { BulkRun } from "./bulkRun.ts";

const again = "Continue";

/**
 * Runs with progress until all is done, or the user leaves it: each time it ends before, it says what was done, what
 * failed and why, and offers to do the rest.
 */
export async function runBulk<Item, Result>(run: BulkRun<Item, Result>, words: BulkWords): Promise<void> {
  for (;;) {
    const { size } = run;
    await withProgress(words.title, (signal, report) =>
      run.run(signal, (item) =>
        report({ message: `${run.done.length + 1} of ${size}: ${run.nameOf(item)}`, increment: 100 / size }),
      ),
    );
    const { message, detail } = bulkReport(run, words);
    if (!run.hasMore && run.unsure.length === 0) {
      void vscode.window.showInformationMessage(withoutLinks(message));
      return;
    }
    const answer = await warnModally(message, { detail }, ...(run.hasMore ? [again] : []));
    if (answer !== again) return;
  }
}
