import * as vscode from "vscode";
import { warnModally } from "../../platform/editor/dialogs/modal.ts";
import { messageOf } from "../../shared/messageOf.ts";
import { withoutLinks } from "../../shared/text/html/withoutLinks.ts";
import type { ChangedFile } from "../engine/changedFile.ts";
import type { PendingChanges } from "../engine/pendingChanges.ts";
import { describeConnected } from "./places.ts";
import type { Decision, StagedDiffs } from "./stagedDiffs.ts";

interface DecisionsDeps {
  readonly changes: PendingChanges;
  readonly staged: StagedDiffs;
  readonly log: vscode.LogOutputChannel;
}

/** Carries out what the user decides. */
export class Decisions {
  readonly #deps: DecisionsDeps;

  constructor(deps: DecisionsDeps) {
    this.#deps = deps;
  }

  /** Decides files, or one hunk of one file. Asks before files are rejected that were not named. Shows why it failed. */
  async decide(decision: Decision, asked: readonly ChangedFile[], hunkId?: string): Promise<void> {
    const { changes, log } = this.#deps;
    const [first] = asked;
    const isOne = decision === "reject" && hunkId === undefined && asked.length === 1;
    const files = isOne && first ? await withConnected(changes, first) : asked;
    if (!files) return;
    const isStaged = ({ uri }: ChangedFile) => changes.staged.of(uri) !== undefined;
    try {
      await this.#decideWritten(
        decision,
        files.filter((file) => !isStaged(file)),
        hunkId,
      );
      for (const file of files.filter(isStaged)) await this.#decideStaged(decision, file, hunkId);
    } catch (error) {
      log.error(`${decision} of changes`, error instanceof Error ? error : String(error));
      const reason = messageOf(error);
      const verb = decision === "accept" ? "accepted" : "rejected";
      void vscode.window.showErrorMessage(withoutLinks(`Not all changes were ${verb}: ${reason} Try again.`));
    }
  }

  async #decideWritten(
    decision: Decision,
    files: readonly ChangedFile[],
    hunkId: string | undefined,
  ): Promise<void> {
    const { changes } = this.#deps;
    if (decision === "reject" && hunkId === undefined && files.length > 0)
      await changes.rejectTogether(files.map(({ uri }) => uri));
    else for (const { uri } of files) await changes[decision](uri, hunkId);
  }

  async #decideStaged(decision: Decision, { uri }: ChangedFile, hunkId: string | undefined): Promise<void> {
    const { changes, staged } = this.#deps;
    const change = changes.staged.of(uri);
    if (change) await staged.decide(decision, change, hunkId);
  }
}

/** A file, with those that have the place of another after moves if the user rejects them, too. Undefined if not. */
async function withConnected(
  changes: PendingChanges,
  file: ChangedFile,
): Promise<readonly ChangedFile[] | undefined> {
  const files = [file, ...changes.connectedWith(file.uri)];
  if (files.length === 1) return files;
  const button = "Reject Together";
  const question = `Reject the changes of ${files.length} files together?`;
  const detail = `${describeConnected(files)}. One has the former place of another, so it can't be rejected alone. The files will be as they were before the agent.`;
  return (await warnModally(question, { detail }, button)) === button ? files : undefined;
}
