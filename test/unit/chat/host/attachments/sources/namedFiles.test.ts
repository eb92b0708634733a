import assert from "node:assert/strict";
import { mkdirSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { temporaryFolder } from "../../../../temporaryFolder.ts";
import { double, replace } from "../../../../vscodeDouble.ts";

const { filesAmong } = await import("../../../../../../src/chat/host/attachments/sources/namedFiles.ts");

test("only paths of files inside the workspace become links; symbolic links out of it do not", async (t) => {
  const [folder, outside] = [temporaryFolder(), temporaryFolder()];
  mkdirSync(join(folder, "src"));
  writeFileSync(join(folder, "src", "a.ts"), "");
  writeFileSync(join(outside, "secret.ts"), "");
  symlinkSync(join(outside, "secret.ts"), join(folder, "link.ts"));
  const stat = async ({ path }: { readonly path: string }) => ({
    type: statSync(path).isDirectory() ? 2 : 1,
  });
  const workspaceFolders = [{ uri: double.Uri.file(folder), name: "w" }];
  replace("workspace", { workspaceFolders, fs: { stat } }, t);
  const outsider = `../${outside.split("/").at(-1)}/secret.ts`;
  assert.deepEqual(
    await filesAmong([
      "src/a.ts",
      "src",
      "gone.ts",
      "link.ts",
      outsider,
      join(outside, "secret.ts"),
      "file:///etc/passwd",
    ]),
    ["src/a.ts"],
  );
});
