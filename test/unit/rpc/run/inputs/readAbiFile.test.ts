// ABI files: read inside the workspace, and nowhere else.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { diagnose } from "../../../../../src/rpc/language/check/diagnose/diagnose.ts";
import { maxAbiBytes, readAbiFile } from "../../../../../src/rpc/run/inputs/readAbiFile.ts";
import { projectOf } from "../../notebook.ts";

const abi = JSON.stringify([{ type: "event", name: "Moved", inputs: [] }]);

describe("the file of an ABI", () => {
  let folder = "";
  let workspace = "";
  before(() => {
    folder = mkdtempSync(join(tmpdir(), "inference-abi-"));
    workspace = join(folder, "workspace");
    mkdirSync(join(workspace, "out"), { recursive: true });
    mkdirSync(join(folder, "other"));
    for (const path of ["workspace/out/Token.json", "other/Token.json", "Token.json", "workspace-two.json"])
      writeFileSync(join(folder, path), abi);
    symlinkSync(join(folder, "other"), join(workspace, "linked"));
    symlinkSync(join(folder, "Token.json"), join(workspace, "link.json"));
    symlinkSync("out/Token.json", join(workspace, "inner.json"));
    symlinkSync("/dev/zero", join(workspace, "zero.json"));
    symlinkSync("loop.json", join(workspace, "loop.json"));
    execFileSync("mkfifo", [join(workspace, "pipe.json")]);
    mkdirSync(join(workspace, "folder.json"));
    writeFileSync(join(workspace, "large.json"), abi);
    truncateSync(join(workspace, "large.json"), maxAbiBytes + 1);
    writeFileSync(join(workspace, "text.json"), "no JSON");
    writeFileSync(join(workspace, "deep.json"), "[".repeat(1_000_000));
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  const read = (path: string) => readAbiFile(path, [join(workspace, "out"), workspace], [workspace]);

  test("is found beside the notebook and in the workspace, through links that stay inside", async () => {
    for (const path of [
      "Token.json",
      "out/Token.json",
      "../out/Token.json",
      "inner.json",
      "linked/../inner.json",
    ])
      assert.deepEqual(await read(path), { declarations: ["event Moved()"] }, path);
  });

  const refusals: readonly (readonly [path: string, why: RegExp])[] = [
    ["../../Token.json", /outside of the workspace/],
    ["../other/Token.json", /outside of the workspace/],
    ["../workspace-two.json", /outside of the workspace/],
    ["linked/Token.json", /outside of the workspace/],
    ["link.json", /outside of the workspace/],
    ["zero.json", /outside of the workspace/],
    ["pipe.json", /not a regular file/],
    ["folder.json", /not a regular file/],
    ["large.json", /too large for an ABI \(more than 10 MB\)/],
    ["text.json", /not JSON/],
    ["deep.json", /not JSON|can't be read/],
    ["loop.json", /was not found/],
    ["missing.json", /was not found/],
    ["/etc/hosts.json", /was not found/],
    ["a\0b.json", /was not found/],
  ];
  for (const [path, why] of refusals) {
    test(`is refused with the reason: ${JSON.stringify(path)}`, async () => {
      const file = await read(path);
      assert.ok("problem" in file);
      assert.match(file.problem, why);
      const named = "x.json";
      const project = { ...projectOf([`@abi "${named}"`]), abiFiles: new Map([[named, file]]) };
      assert.deepEqual(
        diagnose(project, 0).map(({ code, message }) => [code, message]),
        [["file", file.problem]],
      );
    });
  }
});
