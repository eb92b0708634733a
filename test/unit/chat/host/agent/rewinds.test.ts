// The notice about a rewind tells how many files, which ones stayed as they are, why, and the next step.
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  countFiles,
  type FileChange,
  type PendingChanges,
} from "../../../../../src/changes/engine/pendingChanges.ts";
import { createLiveChat } from "../../../../../src/chat/host/conversation/liveChat.ts";
import { answerWith, silent } from "../../answerMessage.ts";
import { openChat, openView, serveChat } from "../../chat.ts";
import { loadedChanges, openControls } from "./openControls.ts";

const changeOf = (name: string): FileChange => ({ uri: `file:///w/${name}`, before: "old", after: "new" });
const made = ["a.txt", "b.txt"].map(changeOf);

/** A chat with one answer, whose rewind does this. */
function openTask(rewind: PendingChanges["rewind"], answer: "overwrite" | "keep" | undefined = "keep") {
  const chat = createLiveChat(silent);
  const changes = loadedChanges({
    files: [],
    onDidChange: () => ({ dispose() {} }),
    rewind,
    lastRewind: { of: "", changes: made },
  });
  const controls = openControls({ chat, changes, askAboutOthers: async () => answer, report() {} });
  chat.add({ role: "user", id: "q", text: "Go" }, null);
  chat.add(answerWith("a", { startedAtMs: 1, changes: made }), "q");
  return { chat, controls };
}

test("files that could not be rewound are counted, each with its own reason, and the next step is named", async () => {
  const kept = [
    { path: "c.txt", reason: "c.txt is larger than 25 MB, so it is not changed." },
    { path: "d.txt", reason: "d.txt can't be read: permission is denied." },
  ];
  const { chat, controls } = openTask(async () => ({ changes: made, kept }));
  await controls.rewind("q", "files");
  assert.equal(
    chat.state.notice?.text,
    "2 files were rewound. 2 files were left as they are. c.txt is larger than 25 MB, so it is not changed. d.txt can't be read: permission is denied. Remove the cause, and rewind again.",
  );
});

test("many reasons are bounded, what they hide is shown, and files that the user kept are told apart", async () => {
  const unread = ["u\u202e.txt", ...Array.from({ length: 8 }, (_, at) => `u${at}.txt`)];
  const { chat, controls } = openTask(async (_, ask) => {
    assert.equal(await ask(["mine.txt"]), "keep");
    const failed = unread.map((path) => ({ path, reason: `${path} is a link.` }));
    return {
      changes: [],
      kept: [...failed, { path: "mine.txt", reason: "it has unsaved text", isChosen: true }],
    };
  });
  await controls.rewind("q", "files");
  assert.equal(
    chat.state.notice?.text,
    "0 files were rewound. 1 file was kept as you chose: mine.txt (it has unsaved text). 9 files were left as they are. u⟨U+202E⟩.txt is a link. u0.txt is a link. u1.txt is a link. u2.txt is a link. u3.txt is a link. And 4 more. Remove the cause, and rewind again.",
  );
});

test("a rewind that stopped says why and what to do, and the chat is not rewound", async () => {
  const failure = "b.txt was changed during the rewind.";
  const { chat, controls } = openTask(async () => ({ changes: made.slice(1), kept: [], failure }));
  await controls.rewind("q", "both");
  assert.equal(
    chat.state.notice?.text,
    `1 file was rewound. Then it stopped: ${failure} Remove the cause, and rewind again for the rest.`,
  );
  assert.equal(chat.leafId, "a");
  const broken = openTask(() => Promise.reject(new Error("EACCES: permission denied")));
  await broken.controls.rewind("q", "both");
  assert.equal(
    broken.chat.state.notice?.text,
    "Nothing more was rewound: EACCES: permission denied. Remove the cause, and rewind again.",
  );
});

test("the result is shown even if another conversation was opened meanwhile", async () => {
  const { chat, controls } = openTask(async () => {
    chat.open({
      ...{ id: "other", createdAtMs: 0, updatedAtMs: 0, nodes: new Map(), leafId: null, seen: new Map() },
      ...{ meta: {}, draft: { text: "", revision: 0 }, writers: new Map() },
    });
    return { changes: made, kept: [] };
  });
  await controls.rewind("q", "both");
  assert.deepEqual([chat.state.notice?.text, chat.leafId], ["2 files were rewound.", null]);
});

test("while the task runs, neither a rewind nor its undo changes files, and the user is told so", async () => {
  const { chat, controls } = openTask(async () => assert.fail("a file was changed"));
  await Promise.resolve();
  chat.add(answerWith("b", { state: "streaming" }), "a");
  for (const act of [() => controls.rewind("q", "files"), () => controls.undoRewind()]) {
    chat.set({ notice: null });
    await act();
    assert.match(chat.state.notice?.text ?? "", /^Nothing was rewound, because the task is running/);
  }
});

test("a chat that is opened after a task has changed files lists them and the commands that run", async (t) => {
  const file = { path: "a.txt", kind: "changed", added: 1, removed: 1, hunks: [{}] };
  const pending = {
    files: [{ ...file, uri: { toString: () => "file:///w/a.txt" } }],
    lastRewind: undefined,
    onDidChange: () => ({ dispose() {} }),
  } as unknown as PendingChanges;
  const commands = [{ id: "command-1", command: "npm start" }];
  const chat = openChat(t, await serveChat(t), {
    changes: {
      load: async () => pending,
      onDidLoad(listener) {
        listener(pending);
        return { dispose() {} };
      },
    },
    runs: { list: commands, onDidChange: () => ({ dispose() {} }), stop: (id) => id, forget() {} },
  });
  const { state } = await openView(chat.controller);
  assert.deepEqual([state.changedFiles.map(({ path }) => path), state.commands], [["a.txt"], commands]);
});

test("a rewind that takes time says so, a second one does not start, and a question that is asked meanwhile stays", async () => {
  let finish = () => {};
  let count = 0;
  const { chat, controls } = openTask(async () => {
    count += 1;
    await new Promise<void>((resolve) => {
      finish = resolve;
    });
    return { changes: made, kept: [] };
  });
  const first = controls.rewind("q", "both");
  await controls.rewind("q", "both");
  assert.equal(chat.state.notice?.text, "Rewinding 2 files…");
  chat.add({ role: "user", id: "next", text: "Go on" }, "a");
  chat.add(answerWith("answer", { state: "streaming" }), "next");
  finish();
  await first;
  assert.deepEqual([chat.state.notice?.text, chat.leafId, count], ["2 files were rewound.", "answer", 1]);
});

test("a rewind that the user cancels leaves no notice", async () => {
  const { chat, controls } = openTask(async () => undefined);
  await controls.rewind("q", "both");
  assert.deepEqual([chat.state.notice, chat.leafId], [null, "a"]);
});

test("the undo of a rewind says that it was undone", async () => {
  const { chat, controls } = openTask(async () => ({ changes: made, kept: [] }));
  await Promise.resolve();
  await controls.undoRewind();
  assert.equal(chat.state.notice?.text, "The rewind was undone: 2 files were restored.");
});

test("a moved file counts once, as in the list of changed files, and one that came and went does not count", async () => {
  const at = (name: string, before: string | null, after: string | null): FileChange => ({
    uri: `file:///w/${name}`,
    before,
    after,
  });
  const edited = [at("a.txt", "one", "two")];
  const moved = [
    at("b.txt", "x", null),
    at("c.txt", null, "x"),
    at("c.txt", "x", null),
    at("d.txt", null, "x"),
  ];
  const isBack = [
    at("e.txt", "y", null),
    at("f.txt", null, "y"),
    at("f.txt", "y", null),
    at("e.txt", null, "y"),
  ];
  const temporary = [at("g.txt", null, "z"), at("g.txt", "z", null)];
  assert.equal(countFiles([...edited, ...moved, at("d.txt", "x", "X"), ...isBack, ...temporary]), 3);
  assert.equal(countFiles([]), 0);
});
