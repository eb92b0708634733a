// Loading a bundle leaves the process as it was: its fetch, its dispatchers, its globals.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { root } from "../vscode/paths.ts";

const dist = join(root, "dist");
assert.ok(existsSync(dist), "dist/ is not built: npm run build");
const bundles = readdirSync(dist).filter((name) => name.endsWith(".js"));

for (const name of bundles) {
  test(`${name} changes no global and loads no other bundle, but zod where it parses`, () => {
    const child = spawnSync(
      process.execPath,
      [join(import.meta.dirname, "loadBundle.cjs"), join(dist, name)],
      {
        encoding: "utf8",
      },
    );
    assert.equal(child.status, 0, child.stderr);
    const { changed, loaded } = JSON.parse(child.stdout) as { changed: string[]; loaded: string[] };
    // zod keeps its settings under names of its own.
    assert.deepEqual(
      changed.filter((key) => !key.startsWith("__zod_")),
      [],
    );
    assert.deepEqual(
      loaded.filter((one) => one !== "zod.js" || name === one),
      [name],
    );
  });
}

test("there are bundles to load", () => {
  for (const name of ["extension.js", "sandbox.js", "undici.js"]) assert.ok(bundles.includes(name), name);
});
