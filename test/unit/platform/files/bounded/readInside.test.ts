import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { readInside } from "../../../../../src/platform/files/bounded/readInside.ts";

test("what is typed and not saved counts in place of the file, within the same walls", async (t) => {
  const base = realpathSync(mkdtempSync(join(tmpdir(), "read-inside-")));
  t.after(() => rmSync(base, { recursive: true }));
  const [root, inner] = [join(base, "root"), join(base, "root", "inner")];
  mkdirSync(inner, { recursive: true });
  writeFileSync(join(root, "a.env"), "saved");
  writeFileSync(join(base, "out.env"), "outside");
  const typed = new Map([
    [join(root, "a.env"), "typed"],
    [join(inner, "new.env"), "not there yet"],
    [join(base, "out.env"), "typed outside"],
  ]);
  const found: string[] = [];
  const options = {
    unsaved: (file: string) => typed.get(file),
    onFound: (file: string) => void found.push(file),
  };
  const read = (path: string, most = 100) => readInside(path, [inner, root], [root], most, options);
  assert.deepEqual(await read("a.env"), { text: "typed", file: join(root, "a.env") });
  assert.deepEqual(await read("new.env"), { text: "not there yet", file: join(inner, "new.env") });
  assert.deepEqual(await read("../../out.env"), { failure: "outside" });
  assert.deepEqual(await read("a.env", 4), { failure: "too-large" });
  assert.deepEqual(await read("none.env"), { failure: "missing" });
  typed.clear();
  assert.deepEqual(await read("a.env"), { text: "saved", file: join(root, "a.env") });
  assert.equal(found.length, 4);
});
