import { isCancelled } from "../../../api/errors/errors.ts";
import { withProgress } from "../../../platform/editor/dialogs/progress.ts";
import { showExplanation } from "../../../platform/editor/dialogs/showExplanation.ts";
import { explain } from "../../../platform/errors/errorMessage.ts";
import { lastDays } from "../accountData.ts";
import type { Account } from "../accountOf.ts";
import { recordsText } from "./unitsText.ts";

/** Reads the bill of the last days, so that the sums of the tree have all currencies, or says why it can't be read. */
export async function readBill(of: Account, days: number, redraw: () => void): Promise<void> {
  const title = `Reading the bill of the last ${days} days`;
  try {
    await withProgress(title, (signal, report) =>
      of.data.usage.sum(lastDays(days, of.data.now()), {
        signal,
        onProgress: (read, total) => report({ message: recordsText(read, total) }),
      }),
    );
  } catch (error) {
    const { admin } = of;
    const explained = explain(error, { service: admin.name, kind: admin.kind });
    if (!isCancelled(error)) void showExplanation(explained, () => readBill(of, days, redraw));
  }
  redraw();
}
