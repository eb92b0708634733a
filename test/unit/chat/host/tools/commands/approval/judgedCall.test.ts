import assert from "node:assert/strict";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { temporaryFolder } from "../../../../../temporaryFolder.ts";
import { replace } from "../../../../../vscodeDouble.ts";

const { callRules } = await import(
  "../../../../../../../src/chat/host/tools/commands/approval/judgedCall.ts"
);

/** The rules of a workspace with the folder `sub`, where the user's settings allow `npm test`. */
function openRules() {
  const folder = temporaryFolder();
  mkdirSync(join(folder, "sub/deep"), { recursive: true });
  writeFileSync(join(folder, "sub/a.txt"), "a\n");
  symlinkSync(tmpdir(), join(folder, "out"));
  symlinkSync("sub", join(folder, "link"));
  const getConfiguration = () => ({
    inspect: () => ({ globalValue: ["npm test"] }),
    get: () => ["npm test"],
  });
  replace("workspace", { isTrusted: true, getConfiguration });
  const rules = callRules({
    placeOf: ({ cwd }) => ({ folder: typeof cwd === "string" ? join(folder, cwd) : folder, roots: [folder] }),
    suffix: ({ cwd = "" }) => (cwd === "" ? "" : ` (in ${cwd})`),
    isPlain: () => true,
  });
  const scopes = (command: string, some = {}) => rules.scopes({ command, ...some });
  return { folder, rules, scopes };
}

test("a line that changes into a folder of the workspace first has the approvals of the same commands there", () => {
  const { folder, rules, scopes } = openRules();
  assert.deepEqual(scopes(`cd ${folder} && npm test 2>&1 | tail -5`), ["npm test"]);
  assert.deepEqual(scopes("cd . && npm test"), ["npm test"]);
  assert.deepEqual(scopes("cd sub && npm ci && npm test"), ["npm ci (in sub)", "npm test (in sub)"]);
  assert.deepEqual(scopes('cd "sub/deep" &&\nnpm test'), ["npm test (in sub/deep)"]);
  assert.deepEqual(scopes("cd deep && npm test", { cwd: "sub" }), ["npm test (in sub/deep)"]);
  assert.deepEqual(scopes("npm test", { cwd: "sub" }), scopes("cd sub && npm test"));
  assert.deepEqual(rules.covers({ command: "cd sub && npm run lint" }), [{ rule: "npm run * (in sub)" }]);
  // Patterns of the settings are for the folder of the workspace.
  assert.equal(rules.isAllowed({ command: `cd ${folder} && npm test` }), true);
  assert.equal(rules.isAllowed({ command: "cd sub && npm test" }), false);
});

test("what a line reads in a folder is judged there", async () => {
  const { rules } = openRules();
  const reads = async (command: string) => {
    const covers = rules.covers({ command });
    const held = await Promise.all(covers.map(({ reads: holds }) => holds?.() ?? false));
    return held.length > 0 && held.every((one) => one);
  };
  assert.equal(await reads("cd sub && cat a.txt | head -1"), true);
  for (const line of [
    "cd sub && cat ../../x",
    "cd sub && cat .env",
    "cd sub && git log",
    "cd sub && rm a.txt",
  ])
    assert.equal(await reads(line), false, line);
  assert.equal(rules.alsoEdits({ command: "cd sub && npm test > out.txt" }), true);
});

test("any other change of the folder always asks", (t) => {
  const { folder, scopes } = openRules();
  for (const line of [
    ...["cd out && npm test", "cd link && npm test", "cd none && npm test", "cd sub/a.txt && npm test"],
    ...[
      "cd .. && npm test",
      "cd sub/.. && npm test",
      "cd / && npm test",
      "cd ~ && npm test",
      "cd && npm test",
    ],
    ...["cd - && npm test", "cd -P sub && npm test", "cd $HOME && npm test", "cd sub; npm test"],
    ...["cd sub || npm test", "cd sub | npm test", "cd sub & npm test", "cd sub", "cd sub &&", "cd sub && &"],
    ...["npm ci && cd sub && npm test", "cd sub && cd deep && npm test", "cd sub deep && npm test"],
    ...["cd sub && npm test > ../../out", "cd sub && $(id)", "cd su* && npm test", "X=1 cd sub && npm test"],
    ...[`cd ${folder}2 && npm test`, "pushd sub && npm test", "cd sub > x && npm test"],
  ])
    assert.deepEqual(scopes(line), [], line);
  process.env.CDPATH = "/tmp";
  t.after(() => {
    delete process.env.CDPATH;
  });
  assert.deepEqual(scopes("cd sub && npm test"), []);
  assert.deepEqual(scopes("cd ./sub && npm test"), ["npm test (in sub)"]);
});
