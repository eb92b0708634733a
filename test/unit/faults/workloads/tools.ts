// Results of tools, the link of MCP clients to the windows, and the last runs of notebooks.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { HistoryFiles } from "../../../../src/rpc/editor/run/history.ts";
import { createResultFiles } from "../../../../src/tools/files/resultFiles.ts";
import { createLinkFolder } from "../../../../src/tools/mcp/server/window/linkFolder.ts";
import type { Folders, Workload } from "../workload.ts";

const bytes = Buffer.from("a picture ".repeat(30));
const notebook = "file:///notebook";
const runsOf = (count: number) => ({
  cell: Array.from({ length: count }, (_, index) => ({
    ...{ version: 1, runId: String(index), atMs: index, lines: [], calls: [], networks: [], total: {} },
  })),
});

const linkOf = ({ storage }: Folders) => createLinkFolder(join(storage, "mcp"), "/script.js");

export const workload: Workload = {
  writers: [
    "src/tools/files/resultFiles.ts",
    "src/tools/mcp/server/window/linkFolder.ts",
    "src/rpc/editor/run/history.ts",
  ],
  async run(folders, told) {
    const results = createResultFiles({ folder: join(folders.storage, "results") });
    const link = linkOf(folders);
    const runs = new HistoryFiles(join(folders.storage, "rpc"), () => told.said("the runs"));
    await told.step("picture", () => results.save("picture", "png", bytes));
    await told.step("launcher", () => link.writeLauncher());
    await told.step("tools", () => link.writeTools([]));
    await told.step("window", () => link.writeWindow("w", { pid: 1 } as never));
    for (const count of [1, 2]) {
      told.begun(`runs ${count}`);
      const before = told;
      runs.write(notebook, runsOf(count) as never);
      const read = await runs.read(notebook);
      if (read.cell?.length === count) before.kept(`runs ${count}`);
    }
    await told.space();
    await told.step("picture", () => results.save("picture", "png", bytes));
    await told.step("swept", () => link.sweep());
    link.removeWindow("w");
  },
  async check(folders, told) {
    const { storage } = folders;
    const count = told.kept.filter((what) => what === "picture").length;
    const names = readNames(join(storage, "results"));
    assert.ok(names.length >= count);
    for (const name of names) assert.deepEqual(readFileSync(join(storage, "results", name)), bytes);
    if (told.kept.includes("launcher"))
      assert.match(readFileSync(linkOf(folders).launcher, "utf8"), /require\("\/script\.js"\)[\s\S]*\}\n$/);
    if (told.kept.includes("tools"))
      assert.equal(readFileSync(join(storage, "mcp", "tools.json"), "utf8"), "[]");
    const runs = new HistoryFiles(join(storage, "rpc"), (error) => assert.fail(String(error)));
    const found = (await runs.read(notebook)).cell?.length ?? 0;
    const kept = told.kept.flatMap((what) => Number(/^runs (\d)$/.exec(what)?.[1] ?? 0));
    assert.ok(found >= Math.max(0, ...kept), `${found} runs`);
    assert.ok(
      readNames(join(storage, "rpc")).every((name) => name.endsWith(".json")),
      "nothing was set aside",
    );
  },
};

function readNames(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
