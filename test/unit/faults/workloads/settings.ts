// Files of settings of the user: variables in .env, lines of .gitignore.
import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  createTemporaryFiles,
  temporaryListsIn,
} from "../../../../src/platform/files/durable/temporaryFiles.ts";
import { addToGitignore, writeVariable } from "../../../../src/platform/files/envFile.ts";
import type { Workload } from "../workload.ts";

const others = `${"OTHER_SECRET=1\n".repeat(30)}INFERENCE_API_KEY=old\n`;
const ignored = "node_modules";

export const workload: Workload = {
  writers: ["src/platform/files/envFile.ts", "src/platform/files/durable/durableFile.ts"],
  prepare({ user }) {
    writeFileSync(join(user, ".env"), others, { mode: 0o640 });
    writeFileSync(join(user, ".gitignore"), ignored);
  },
  async run({ storage, user }, told) {
    const temporary = createTemporaryFiles(temporaryListsIn(storage));
    const set = (value: string) =>
      told.step(`key ${value}`, () =>
        writeVariable(join(user, ".env"), "INFERENCE_API_KEY", value, temporary),
      );
    await told.step("ignored", () => addToGitignore(user, ".env"));
    await set("a");
    await told.step("new", () => writeVariable(join(user, "new.env"), "KEY", "s", temporary));
    await told.space();
    await set("last");
    temporary.dispose();
  },
  async check({ user }, told) {
    const text = readFileSync(join(user, ".env"), "utf8");
    const of = (value: string) => others.replace("=old", `=${value}`);
    const kept = told.kept.flatMap((what) => /^key (.*)$/.exec(what)?.[1] ?? []).at(-1);
    const possible = kept === "last" ? ["last"] : kept === "a" ? ["a", "last"] : ["old", "a", "last"];
    assert.ok(possible.map(of).includes(text), text);
    const list = readFileSync(join(user, ".gitignore"), "utf8");
    assert.ok(list.startsWith(ignored));
    if (told.kept.includes("ignored")) assert.equal(list, `${ignored}\n.env\n`);
    if (told.refused.some((what) => what.startsWith("ignored"))) assert.equal(list, ignored);
    const isNew = existsSync(join(user, "new.env"));
    if (isNew) assert.equal(readFileSync(join(user, "new.env"), "utf8"), "KEY=s\n");
    else assert.ok(!told.kept.includes("new"));
  },
};
