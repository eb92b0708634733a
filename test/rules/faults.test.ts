// Each file of the sources that writes files is tried with kill -9 and a full disk (`npm run faults`).
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { root } from "../tools/paths.ts";
import { loadWorkload, storeNames } from "../unit/faults/stores.ts";
import { sourceFiles } from "./structure/sources.ts";

/** Functions of node:fs and of src/platform/files that write, and the journal, which writes lines. */
const writers =
  /\b(?:appendFile|appendFileSync|copyFile|createWriteStream|rename|renameSync|truncate|writeFile|writeFileSync|writeSync|appendDurablyNow|appendFlushed|appendPrivately|appendPrivatelyNow|createDurably|createFlushed|createJournal|createPrivatelyNow|createWithMode|moveDurably|openPrivate|openPrivateNow|replaceDurably|setAside|writeDurably|writeDurablyNow|writePrivately)\(/;
const importsFiles =
  /from "(?:node:fs(?:\/promises)?|[./\w]*platform\/files\/[\w/]+\.ts|[./]+(?:privateFiles|durableFile|journal)\.ts)"/;

/** Files that are not tried, with the reason. */
const untried: Readonly<Record<string, string>> = {
  "src/platform/files/privateFiles.ts": "the calls of the system, which all others use",
  "src/platform/process/anvil.ts": "a temporary folder of the system, for one run of a node",
  "src/chat/host/tools/commands/typedCommand.ts": "a temporary folder of the system, for one command",
  "src/chat/host/history/transfer/conversationTransfer.ts":
    "a file that the user saves, written by the editor",
  "src/web/parse/siblingText.ts": "its text is written by writeParsed.ts, or by the editor",
  "src/platform/editor/git/gitBranch.ts": "it only reads",
  "src/account/host/keys/bulk/showSecrets.ts": "one call of writeDurably, with a dialog around it",
  "src/requests/host/log/requestLog.ts": "the journal alone; no call depends on its record",
  "src/gateway/clients/clientBook.ts":
    "two calls of writeDurably: a token without its line counts as none, and so does a line without its token",
  "src/gateway/programs/configuration/writtenBook.ts":
    "one call of writeDurably, before the file that it is about: what was not written counts as changed",
  "src/gateway/programs/configuration/userFile.ts": "one call of replaceDurably, after its record",
  "src/gateway/address/addressFile.ts":
    "one call of writeDurably: a process that is gone answers at no socket, whatever its file says",
  "src/changes/engine/files/placeLink.ts":
    "what it takes aside is stored before, so that a killed rewind is repeated",
  "src/chat/host/acp/agentProcess.ts":
    "a folder for one run of an agent, that is thrown away, also at the next start",
  "src/chat/host/subagents/acting/commands/commandCopy.ts": "a copy that is thrown away, too",
  "src/chat/host/subagents/acting/copyFiles.ts": "a copy that is thrown away, also at the next start",
  "src/chat/host/subagents/acting/gitWorktrees.ts": "a folder that is thrown away, also at the next start",
  "src/chat/host/subagents/acting/subagentTree.ts":
    "the same copy; what counts of it is written by the changes",
  "src/rpc/cli/reportFiles.ts": "reports of a command, which ends with an error if they can't be written",
};

test("each file that writes files has a workload of the faults run, or a reason", async () => {
  const workloads = await Promise.all(storeNames.map(loadWorkload));
  const tried = new Set(workloads.flatMap(({ writers: own, queued = [] }) => [...own, ...queued]));
  const found = sourceFiles().filter((file) => {
    const text = readFileSync(join(root, file), "utf8");
    return importsFiles.test(text) && writers.test(text);
  });
  assert.ok(found.length > 20, String(found.length));
  const missing = found.filter((file) => !tried.has(file) && !Object.hasOwn(untried, file));
  assert.deepEqual(missing, []);
  const stale = Object.keys(untried).filter((file) => !found.includes(file) || tried.has(file));
  assert.deepEqual(stale, []);
});
