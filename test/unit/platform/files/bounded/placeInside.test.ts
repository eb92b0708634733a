import assert from "node:assert/strict";
import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { leadsOutside } from "../../../../../src/platform/files/bounded/placeInside.ts";
import { temporaryFolder } from "../../../temporaryFolder.ts";

test("detects a link in any part of the path that leads out of the folder", async () => {
  const [folder, elsewhere] = [realpathSync(temporaryFolder()), realpathSync(temporaryFolder())];
  mkdirSync(join(folder, "src"));
  for (const file of [join(folder, "src", "a.ts"), join(elsewhere, "b.ts")]) writeFileSync(file, "");
  symlinkSync(join(elsewhere, "b.ts"), join(folder, "file-out.ts"));
  symlinkSync(elsewhere, join(folder, "folder-out"));
  symlinkSync(join(elsewhere, "nothing.ts"), join(folder, "to-nothing.ts"));
  symlinkSync(join(folder, "src"), join(folder, "folder-in"));
  symlinkSync("folder-out", join(folder, "twice"));
  const out = ["file-out.ts", "folder-out/b.ts", "to-nothing.ts", "twice/b.ts"];
  const inside = ["src/a.ts", "folder-in/a.ts", "src/not-there.ts"];
  for (const path of [...out, ...inside])
    assert.equal(await leadsOutside([folder], join(folder, path)), out.includes(path), path);
  // The user opened a file of another folder by its own name; and the workspace may itself be behind a link.
  assert.equal(await leadsOutside([folder], join(elsewhere, "b.ts")), false);
  symlinkSync(folder, join(elsewhere, "workspace"));
  const linked = join(elsewhere, "workspace");
  assert.equal(await leadsOutside([linked], join(linked, "src/a.ts")), false);
  assert.equal(await leadsOutside([linked], join(linked, "file-out.ts")), true);
  assert.equal(await leadsOutside([folder, elsewhere], join(folder, "file-out.ts")), false);
});
