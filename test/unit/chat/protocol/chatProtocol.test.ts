import assert from "node:assert/strict";
import { test } from "node:test";
import { parseToHost } from "../../../../src/chat/protocol/chatProtocol.ts";

test("accepts all messages of a view of this version", () => {
  const said = { v: 1, type: "send", body: { text: "hi", revision: 3 } };
  assert.deepEqual(parseToHost(said), said);
});

const refused: readonly (readonly [string, unknown])[] = [
  ["nothing", undefined],
  ["another version", { v: 2, type: "stop", body: {} }],
  ["an unknown name", { v: 1, type: "eval", body: {} }],
  ["a name that every object has", { v: 1, type: "constructor", body: {} }],
  ["a member too many", { v: 1, type: "stop", body: { command: "x" } }],
  ["a link that is a command", { v: 1, type: "openLink", body: { url: "command:workbench.action.quit" } }],
  ["a link that is a script", { v: 1, type: "openLink", body: { url: "javascript:alert(1)" } }],
  ["a link to a file", { v: 1, type: "openLink", body: { url: "file:///etc/passwd" } }],
  ["an action that is none", { v: 1, type: "act", body: { action: "workbench.action.quit" } }],
  ["a retry as an action", { v: 1, type: "act", body: { action: "retry" } }],
];
for (const [name, said] of refused) {
  test(`${name} is refused`, () => assert.equal(parseToHost(said), undefined));
}
