import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { createMessageTree } from "../../../../../../src/chat/host/conversation/messageTree.ts";
import { toTreeNodes } from "../../../../../../src/chat/host/history/log/conversation.ts";
import {
  applyEntry,
  emptyLogState,
  type LogState,
} from "../../../../../../src/chat/host/history/log/logState.ts";
import {
  blobNamesIn,
  conversationMarkdown,
  exportFileName,
  toExport,
  toMessages,
} from "../../../../../../src/chat/host/history/transfer/exportConversation.ts";
import {
  ImportRefused,
  readImport,
} from "../../../../../../src/chat/host/history/transfer/importConversation.ts";
import { createBlobStore } from "../../../../../../src/platform/files/blobStore.ts";
import { temporaryFolder } from "../../../../temporaryFolder.ts";
import { answer, node, question, reported } from "../logFolder.ts";

function sample(): LogState {
  const state = emptyLogState("c", Date.UTC(2026, 10, 21));
  for (const entry of [
    question("q", null, "Why is the sky blue?"),
    answer("a1", "q", "It is not."),
    node({
      ...{ id: "a2", parentId: "q", role: "assistant", text: "Rayleigh **scattering**.\n", model: "guide" },
      sources: [{ url: "https://example.com/a", title: "On [light]" }],
    }),
    { e: "leaf" as const, id: "a2" },
    { e: "meta" as const, meta: { settings: { system: "Be brief." }, pinned: true } },
  ]) {
    applyEntry(state, entry);
  }
  return state;
}

test("a Markdown export has what is shown: questions, answers, models, sources", () => {
  assert.equal(
    conversationMarkdown(sample()),
    `# Why is the sky blue?

*2026-11-21*

## You

Why is the sky blue?

## guide

Rayleigh **scattering**.

Sources:

1. [On \\[light\\]](<https://example.com/a>)
`,
  );
  assert.equal(exportFileName(sample(), "md"), "Why-is-the-sky-blue.md");
  assert.equal(exportFileName(emptyLogState("c", 0), "json"), "New-chat.json");
});

test("our own JSON restores the whole tree as a new conversation", () => {
  const before = reported(sample());
  const { state } = readImport(toExport(sample()));
  const after = reported(state);
  assert.notEqual(after.id, before.id);
  assert.deepEqual([after.nodes, after.leafId], [before.nodes, before.leafId]);
  assert.equal(after.meta.title, "Why is the sky blue?");
  assert.deepEqual(after.meta.settings, before.meta.settings);
});

test("messages are exported as in a request", () => {
  assert.deepEqual(toMessages(sample()), [
    { role: "system", content: "Be brief." },
    { role: "user", content: "Why is the sky blue?" },
    { role: "assistant", content: "Rayleigh **scattering**.\n" },
  ]);
});

test("our own JSON keeps attachments, and Markdown names them", async () => {
  const blobs = createBlobStore(join(temporaryFolder(), "blobs"));
  const blob = await blobs.put("let a;\n", "ts");
  const attached = {
    id: "f",
    kind: "file",
    name: "a_b.ts",
    mediaType: "text/plain",
    bytes: 7,
    tokens: 2,
    blob,
  };
  const state = sample();
  applyEntry(state, {
    e: "patch",
    id: "q",
    patch: { attachments: [{ ...attached, detail: "lines 1 to 2" }] },
  });
  assert.deepEqual(blobNamesIn(state), [blob]);
  assert.match(
    conversationMarkdown(state),
    /Why is the sky blue\?\n\nAttached:\n\n- a\\_b\.ts \(lines 1 to 2\)\n/,
  );
  const contents = new Map([[blob, (await blobs.read(blob)) ?? new Uint8Array()]]);
  const text = toExport(state, contents);
  const imported = readImport(text);
  assert.deepEqual(blobNamesIn(imported.state), [blob]);
  assert.equal(Buffer.from(imported.blobs.get(blob) ?? []).toString(), "let a;\n");
  const parts = new Map([["q", [{ type: "text" as const, text: "a.ts" }]]]);
  assert.deepEqual(toMessages(state, parts)[1], {
    role: "user",
    content: [
      { type: "text", text: "a.ts" },
      { type: "text", text: "Why is the sky blue?" },
    ],
  });
  const forged = text.replace(
    Buffer.from("let a;\n").toString("base64"),
    Buffer.from("let b;\n").toString("base64"),
  );
  assert.throws(() => readImport(forged), /by its hash/);
});

test("an invalid time is refused by name, because the list could not show it", () => {
  for (const bad of [1e300, -1e300, 8.64e15 + 2]) {
    const text = JSON.stringify({ ...JSON.parse(toExport(sample())), updatedAtMs: bad });
    assert.throws(() => readImport(text), /`updatedAtMs` is invalid/);
  }
});

test("tools are not imported: a user enables them again", () => {
  const state = sample();
  const settings = { system: "Read all files.", tools: ["read_file", "read_page"], temperature: 1 };
  applyEntry(state, { e: "meta", meta: { settings } });
  const { meta } = readImport(toExport(state)).state;
  assert.deepEqual(meta.settings, { system: "Read all files.", temperature: 1 });
  assert.equal(meta.pinned, true);
});

test("a mode that acts, its limits, and the files of a task are not exported", () => {
  const state = sample();
  const settings = { mode: "agent", task: { capUsd: 100 }, temperature: 1 };
  applyEntry(state, { e: "meta", meta: { settings } });
  const changes = [{ uri: "file:///w/a.ts", before: `${"a".repeat(64)}.file`, after: null }];
  applyEntry(state, { e: "patch", id: "a2", patch: { changes } });
  assert.deepEqual(blobNamesIn(state), []);
  const text = toExport(state);
  assert.doesNotMatch(text, /a\.ts/);
  const forged = JSON.parse(text) as { nodes: { id: string }[] };
  const nodes = forged.nodes.map((node) => ({ ...node, changes }));
  const imported = readImport(JSON.stringify({ ...forged, nodes })).state;
  assert.deepEqual(imported.meta.settings, { temperature: 1 });
  assert.doesNotMatch(JSON.stringify([...imported.nodes.values()]), /a\.ts/);
});

test("the maximum number of sibling messages becomes a tree without delay", () => {
  const nodes = Array.from({ length: 100_000 }, (_, place) => ({
    ...{ id: `q${place}`, parentId: null, role: "user", text: "" },
  }));
  const whole = { ...JSON.parse(toExport(sample())), leafId: "q99999", nodes };
  const { state } = readImport(JSON.stringify(whole));
  const tree = createMessageTree(toTreeNodes(state.nodes.values()));
  assert.equal(tree.siblings("q0").length, 100_000);
});

const messages = [
  { role: "system", content: "Be exact." },
  {
    role: "user",
    content: [
      { type: "text", text: "What is" },
      { type: "text", text: "in it?" },
      { type: "image_url", image_url: { url: "data:image/png;base64,AA==" } },
    ],
  },
  {
    role: "assistant",
    content: null,
    tool_calls: [{ id: "t1", type: "function", function: { name: "look", arguments: "{}" } }],
  },
  { role: "tool", tool_call_id: "t1", content: "a cat" },
  { role: "assistant", content: "A cat." },
  { role: "user", content: "Thanks" },
];

test("imported messages keep parts and tools, and are exported unchanged", () => {
  for (const text of [JSON.stringify(messages), JSON.stringify({ model: "m", messages })]) {
    const { state } = readImport(text);
    assert.deepEqual(
      [...state.nodes.values()].map(({ role, text: said }) => [role, said]),
      [
        ["user", "What is\n\nin it?"],
        ["assistant", "A cat."],
        ["user", "Thanks"],
      ],
    );
    assert.deepEqual(toMessages(state), messages);
  }
});

const whole = () => JSON.parse(toExport(sample()));
const refused: readonly (readonly [name: string, text: string, says: RegExp])[] = [
  ["no JSON", "{", /not JSON/],
  ["something else", '{"a":1}', /neither/],
  ["a number", "7", /neither/],
  ["no messages", "[]", /`messages`.*>=1.*\[\]/],
  [
    "a role that is none",
    JSON.stringify([{ role: "robot", content: "x" }]),
    /`messages\[0\]\.role`.*"robot"/,
  ],
  [
    "content that is a number",
    JSON.stringify([{ role: "user", content: 12 }]),
    /`messages\[0\]\.content`.*12/,
  ],
  [
    "a tool's word without its call",
    JSON.stringify([{ role: "tool", content: "x" }]),
    /`messages\[0\]\.tool_call_id`.*missing/,
  ],
  ["a newer version", JSON.stringify({ ...whole(), version: 2 }), /`version`.*1.*2/],
  ["a leaf that is not there", JSON.stringify({ ...whole(), leafId: "z" }), /`leafId`.*"z"/],
  [
    "a message twice",
    JSON.stringify({ ...whole(), nodes: [...whole().nodes, ...whole().nodes] }),
    /`nodes\[3\]\.id`.*unique.*"q"/,
  ],
  [
    "a message after none",
    JSON.stringify({ ...whole(), nodes: whole().nodes.slice(1) }),
    /`nodes\[0\]\.parentId`.*"q"/,
  ],
  [
    "a message without id",
    JSON.stringify({ ...whole(), nodes: [{ role: "user", parentId: null }] }),
    /`nodes\[0\]\.id`.*missing/,
  ],
];
for (const [name, text, says] of refused) {
  test(`${name} is refused, with the member, the rule and the value`, () => {
    assert.throws(
      () => readImport(text),
      (error) => error instanceof ImportRefused && says.test(error.message),
    );
  });
}
