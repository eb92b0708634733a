import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { setImmediate } from "node:timers/promises";
import { withBuildLock } from "../../tools/buildLock.ts";
import { temporaryFolder } from "../temporaryFolder.ts";

describe("builds in one clone", () => {
  it("run one at a time, also after a failed one", async () => {
    const lock = join(temporaryFolder(), "build.lock");
    let running = 0;
    const build = (fails: boolean) =>
      withBuildLock(
        async () => {
          running += 1;
          assert.equal(running, 1);
          for (let turns = 0; turns < 5; turns++) await setImmediate();
          running -= 1;
          if (fails) throw new Error("no build");
          return "built";
        },
        lock,
        () => setImmediate(),
      );
    const ended = await Promise.allSettled([build(false), build(true), build(false)]);
    assert.deepEqual(
      ended.map(({ status }) => status),
      ["fulfilled", "rejected", "fulfilled"],
    );
    assert.equal(existsSync(lock), false);
  });

  it("do not wait for a process that has ended", async () => {
    const lock = join(temporaryFolder(), "build.lock");
    const { pid } = spawnSync(process.execPath, ["-e", ""]);
    writeFileSync(lock, String(pid));
    assert.equal(
      await withBuildLock(
        async () => "built",
        lock,
        () => setImmediate(),
      ),
      "built",
    );
  });
});
