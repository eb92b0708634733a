// What a user has allowed is stored in one module, where it is listed and revoked.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { root } from "../tools/paths.ts";
import { sourceFiles } from "./structure/sources.ts";

/** Files that write to a state of the extension, and what it is: no consent of a user. */
const stored: Readonly<Record<string, string>> = {
  "src/session/consent/consents.ts": "all consents",
  "src/session/consent/formerConsents.ts": "those of earlier versions, which are moved there",
  "src/session/connection/connections.ts": "connections, and the active one",
  "src/session/chosenModels.ts": "the model of each connection",
  "src/session/completionCounts.ts": "counts of completions",
  "src/session/spend/spendGate.ts": "which warnings of a budget were shown",
  "src/account/host/accountOf.ts": "the ADMIN connection, the order of keys, ids of created keys",
  "src/account/host/tree/spendBar.ts": "the sum in the status bar",
  "src/changes/engine/lazyChanges.ts": "whether hunks are pending",
  "src/chat/host/chatFeature.ts": "the conversation that the window shows",
  "src/chat/host/model/modelPreferences.ts": "favourite models",
  "src/chat/host/tools/commands/sandbox/tellMissingSandbox.ts":
    "what the user was told about the sandbox of commands",
  "src/images/host/gallery/chooseFolder.ts": "the folder of the pictures",
  "src/images/host/imagesFeature.ts": "the draft of the studio",
  "src/languageModels/languageModels.ts": "the salt of the cache keys",
  "src/platform/editor/tour.ts": "the steps of the walkthrough",
  "src/rpc/editor/environment/environmentFiles.ts": "the environment of a workspace",
  "src/rpc/editor/notebook.ts": "removes a counter of an earlier version",
  "src/speech/host/voices/choices.ts": "the voice of each model",
  "src/speech/host/voices/clonedVoices.ts": "voices that the user cloned",
  "src/tools/mcp/client/openMcpServers.ts": "lists of MCP servers, and what each tool said at its last call",
};

const sources = sourceFiles().map((file) => ({ file, text: readFileSync(join(root, file), "utf8") }));
const writes = /\b(?:\w*[sS]tate|memento|Memento)\s*\.\s*update\(/;

test("a state of the extension is written by the files of this list, and consents by one of them", () => {
  const found = sources.filter(({ text }) => writes.test(text)).map(({ file }) => file);
  assert.deepEqual(found.sort(), Object.keys(stored).sort());
});

test("the keys of earlier stores of consents are named where they are read once", () => {
  const keys = [
    "price.agreed",
    "completions.consents",
    "languageModels.allowed",
    "rpc.abiHosts",
    "chat.approvals",
    "spend.allowed",
    "connectionWallets",
  ];
  for (const key of keys)
    assert.deepEqual(
      sources.filter(({ text }) => text.includes(`"${key}"`)).map(({ file }) => file),
      ["src/session/consent/formerConsents.ts"],
      key,
    );
});
