// 1,000 replacements in 200 files by the change engine of agents, which stores what was there and keeps the hunks for
// review. They arrive in replies of 32 calls, which the chat runs at the same time. The peer writes the same files as
// durably, one after the other: each by a new file that is flushed and renamed.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { atMostTimes, type Benchmark, paired } from "../figure.ts";
import { interleave, msOf } from "../interleave.ts";

export const benchmark: Benchmark = {
  name: "agent-edit",
  async run() {
    const folder = mkdtempSync(join(tmpdir(), "agent-edit-"));
    try {
      const { plain, ours } = await interleave({
        module: "changes/agentEditContestants.ts",
        names: ["plain", "ours"],
        given: folder,
        rounds: 9,
        expected: "1000 in 200",
      });
      return { "agent-edit": atMostTimes(paired(msOf(ours), msOf(plain)), "ms", 1.5, "writing the files") };
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
};
