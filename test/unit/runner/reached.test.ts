import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, it } from "node:test";
import { reachedTests } from "../../runner/reached.ts";
import { root } from "../../tools/paths.ts";
import { temporaryFolder } from "../temporaryFolder.ts";

function folderWith(files: Readonly<Record<string, string>>): string {
  const folder = temporaryFolder();
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}

const folder = folderWith({
  "src/a.ts": "export const a = 1;",
  "src/b.ts": 'import { a } from "./a.ts";',
  "src/c.ts": 'import type { A } from "./a.ts";\nexport const load = () => import("./d.ts");',
  "src/d.ts": "",
  "src/page/main.tsx": 'import "./main.css";',
  "src/page/main.css": "",
  "test/unit/b.test.ts": 'import { b } from "../../src/b.ts";',
  "test/unit/c.test.ts": 'import { c } from "../../src/c.ts";',
  "test/unit/page.test.ts": 'build("src/page/main.tsx");',
  "test/contract/both.test.ts": 'import "../../src/a.ts";\nimport "../../src/d.ts";',
  "test/ui/b.ui.test.ts": 'import { b } from "../../src/b.ts";',
});
const reached = (...changed: string[]) => reachedTests(folder, changed);

describe("the tests that a change reaches", () => {
  it("import it over any number of files, and need no editor", () => {
    assert.deepEqual(reached("src/a.ts"), ["test/contract/both.test.ts", "test/unit/b.test.ts"]);
    assert.deepEqual(reached("src/d.ts"), ["test/contract/both.test.ts", "test/unit/c.test.ts"]);
  });

  it("include the test itself, and are none if it is deleted or nothing imports it", () => {
    assert.deepEqual(reached("test/unit/c.test.ts"), ["test/unit/c.test.ts"]);
    assert.deepEqual(reached("test/unit/gone.test.ts", "test/ui/b.ui.test.ts", "README.md"), []);
  });

  it("include those that build a page of it, with the page's style sheets", () => {
    assert.deepEqual(reached("src/page/main.css"), ["test/unit/page.test.ts"]);
  });

  it("exist among our own files", () => {
    const tests = reachedTests(root, ["src/rpc/output/requestText.ts"]);
    assert.ok(
      tests.includes("test/unit/rpc/renderer/views/RowsTable.test.ts"),
      "over the renderer, which is built for its page",
    );
    assert.ok(!tests.includes("test/unit/shared/time/days.test.ts"));
    assert.ok(reachedTests(root, ["src/chat/page/chat.css"]).includes("test/unit/webview/contrast.test.ts"));
  });
});
