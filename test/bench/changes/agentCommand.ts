// A command of an agent in a repository of 20,000 files: their state before it is kept, and compared after it, so that what it
// changes can be rewound. The peer runs the same command alone. As in the chat, the files are looked at when the command is
// shown, before it begins; the first time, their contents are kept then.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { atMostTimes, type Benchmark, type Figure, paired } from "../figure.ts";
import { interleave, msOf } from "../interleave.ts";

/** Seconds of the command. */
const lengths = [1, 5];

export const benchmark: Benchmark = {
  name: "agent-command",
  async run() {
    const folder = mkdtempSync(join(tmpdir(), "agent-command-"));
    try {
      makeFiles(join(folder, "repository"));
      const figures: Record<string, Figure> = {};
      for (const seconds of lengths) {
        const { plain, ours } = await interleave({
          module: "changes/agentCommandContestants.ts",
          names: ["plain", "ours"],
          given: { folder, seconds },
          rounds: 5,
          expected: "4 files",
        });
        figures[`agent-command.${seconds} s`] = atMostTimes(
          paired(msOf(ours), msOf(plain)),
          "ms",
          1.05,
          "the command alone",
        );
      }
      return figures;
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
};

/** 20,000 files of 3.6 KB in 1,020 folders, and 2,000 ignored ones. */
function makeFiles(root: string): void {
  const text = (part: number, file: number) => `line of file ${file} in part ${part}\n`.repeat(120);
  for (let part = 0; part < 1_000; part++) {
    const folder = join(root, `packages/package${part % 20}/part${part}`);
    mkdirSync(folder, { recursive: true });
    for (let file = 0; file < 20; file++) writeFileSync(join(folder, `file${file}.ts`), text(part, file));
  }
  mkdirSync(join(root, "dist"));
  for (let file = 0; file < 2_000; file++) writeFileSync(join(root, `dist/${file}.js`), "built\n");
  writeFileSync(join(root, ".gitignore"), "dist\nnode_modules\n");
}
