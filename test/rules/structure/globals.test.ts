// Loading a bundle changes no global of the process: neither its fetch nor its dispatchers.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { root } from "../../tools/paths.ts";

const dist = join(root, "dist");
assert.ok(existsSync(dist), "dist/ is not built: npm run build");
/** Processes of their own. */
const programs = ["rpc-run.js", "gateway.js"];
const bundles = readdirSync(dist).filter((name) => name.endsWith(".js") && !programs.includes(name));

/** These are loaded at the start, so each is one file. */
const alone = ["extension.js", "startBundle.js"];

for (const name of bundles) {
  const isAlone = alone.includes(name);
  test(`${name} changes no global and loads only bundles that it shares code with`, () => {
    const child = spawnSync(
      process.execPath,
      [join(import.meta.dirname, "../package/loadBundle.cjs"), join(dist, name)],
      {
        encoding: "utf8",
      },
    );
    assert.equal(child.status, 0, child.stderr);
    const { changed, loaded } = JSON.parse(child.stdout) as { changed: string[]; loaded: string[] };
    const isShared = (file: string) => file === "zod.js" || (file.startsWith("shared-") && !isAlone);
    // zod stores its settings under its own global names.
    assert.deepEqual(
      changed.filter((key) => !key.startsWith("__zod_")),
      [],
    );
    assert.deepEqual(
      loaded.filter((one) => name === one || !isShared(one)),
      [name],
    );
  });
}

test("bundles exist", () => {
  for (const name of ["extension.js", "sandbox.js", "undici.js"]) assert.ok(bundles.includes(name), name);
});
