// A window that is killed while it records what a program has changed, and the next one meanwhile, leave nothing that no record has.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { listedCases } from "../../../../runner/cases.ts";
import { runCase } from "../../changesCase.ts";
import type { Step } from "../../changesSteps.ts";
import { editor } from "../../editorModel.ts";
import { disk } from "../../modelDisk.ts";
import type { ProgramAct } from "../../programLines.ts";

/** More accesses to the disk than one window needs for it. */
const most = 240;

before(() => {
  disk.isStepped = true;
  editor.hasRipgrep = false;
});
after(() => {
  disk.isStepped = false;
  editor.hasRipgrep = true;
});

/** The acts are those of one program, after which rejecting all must restore the original bytes: the case checks that. */
async function killAtEach(acts: readonly ProgramAct[], isWarm: boolean): Promise<void> {
  const rest = { file: "lf.txt", to: "a/new.txt", text: "one\n", pick: 0 } as const;
  const step = (kills: number[]): Step => ({
    do: "program",
    acts: acts.map((act) => ({ act, ...rest })),
    isWarm,
    isLater: true,
    savesFirst: false,
    ends: "window is killed",
    kills,
  });
  const all = Array.from({ length: most }, (_, index) => index);
  for (const at of listedCases(all, 15))
    for (const kills of [[at], [most, at]])
      await runCase([step(kills)]).catch((error: unknown) => {
        assert.fail(`killed before access ${kills.join(" and ")}: ${String(error)}`);
      });
}

test("killed before any access while it records that watched folders were moved, all is restored", () =>
  killAtEach(["moveFolder"], true));

test("killed before any access while it records moved, changed, made and deleted files, all is restored", () =>
  killAtEach(["moveFolder", "sed", "move", "linkOver", "removeLinks", "folderForFile"], false));
