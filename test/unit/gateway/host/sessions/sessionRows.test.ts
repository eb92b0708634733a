import assert from "node:assert/strict";
import { test } from "node:test";
import { folderNames } from "../../../../../src/gateway/host/sessions/folderNames.ts";
import { burnMs, sessionRows, shownMs } from "../../../../../src/gateway/host/sessions/sessionRows.ts";
import {
  pauseSession,
  resumeSession,
  stopSession,
} from "../../../../../src/gateway/host/sessions/stopSession.ts";
import { SessionBook } from "../../../../../src/gateway/server/sessionBook.ts";
import type { SpentEntry } from "../../../../../src/session/spend/spendLines.ts";
import { amountIn } from "../../../../../src/shared/money/amounts.ts";

const nowMs = Date.UTC(2026, 6, 1, 12);
const client = { id: "1", name: "Codex", isPrivateOnly: false, sessionCapUsd: 5 };

function openSession() {
  const sessions = new SessionBook(() => nowMs);
  const agent = sessions.of(client, { session_id: "a" }, undefined);
  return { sessions, agent };
}

function entry(task: string, usd: number, agoMs: number, kind = "gateway"): SpentEntry {
  return {
    id: `${task} ${agoMs}`,
    atMs: nowMs - agoMs,
    endpoint: "chat.stream",
    model: "m",
    source: { kind, client: "OpenCode", task },
    cost: amountIn("USD", usd),
  };
}

test("a session is shown with its model, its calls, its cost of the cap, and how fast it spends", () => {
  const { sessions, agent } = openSession();
  agent.calls = 2;
  const calls = [entry(agent.id, 1, burnMs + 1), entry(agent.id, 0.5, 1000)];
  const rowOf = () => sessionRows(sessions.all, calls, nowMs)[0];
  assert.deepEqual(rowOf(), {
    id: agent.id,
    label: "Codex",
    description: "$1.50 of $5.00 · $0.10/min · waiting · 2 calls · m",
    state: "waiting",
  });
  agent.running.add(new AbortController());
  assert.equal(rowOf()?.state, "running");
});

test("a session of another window is shown for an hour after its last call, and nothing but agents", () => {
  const entries = [
    entry("other", 0.5, shownMs - 1),
    entry("old", 0.5, shownMs + 1),
    entry("chat", 0.5, 1, "chat"),
  ];
  assert.deepEqual(sessionRows([], entries, nowMs), [
    { id: "other", label: "OpenCode", description: "$0.50 · other window · 1 call · m", state: "elsewhere" },
  ]);
});

test("a session is named with the folder for which its calls count, and its last model", () => {
  const { sessions, agent } = openSession();
  const ofFolder = { ...client, folder: { uri: "file:///app", name: "app" } };
  const own = sessions.of(ofFolder, { session_id: "a" }, undefined);
  const entries = [
    { ...entry(agent.id, 0.5, 1), model: "new", folder: "lib" },
    { ...entry(agent.id, 0.5, 1000), model: "old", folder: "lib" },
    { ...entry("other", 0.5, 1), folder: "doc" },
  ];
  assert.notEqual(own.id, agent.id);
  const rows = sessionRows(sessions.all, entries, nowMs);
  assert.deepEqual(rows.map(({ label }) => label).sort(), ["Codex · app", "Codex · lib", "OpenCode · doc"]);
  assert.match(rows.find(({ id }) => id === agent.id)?.description ?? "", / · new$/);
});

test("a pause leaves the calls in progress, a stop ends them, and both end with Resume", () => {
  const { agent } = openSession();
  const call = new AbortController();
  agent.running.add(call);
  pauseSession(agent);
  assert.match(agent.refusal ?? "", /stopped this session in VS Code.*Resume/);
  assert.equal(call.signal.aborted, false);
  resumeSession(agent);
  assert.equal(agent.refusal, undefined);
  stopSession(agent);
  assert.equal(call.signal.aborted, true);
  assert.ok(agent.refusal);
});

test("of thousands of sessions the last ones are shown, and the last one first", () => {
  const entries = Array.from({ length: 5000 }, (_, index) => entry(`s-${index}`, 0.01, 5000 - index));
  const rows = sessionRows([], entries, nowMs);
  assert.equal(rows.length, 50);
  assert.deepEqual([rows[0]?.id, rows.at(-1)?.id], ["s-4999", "s-4950"]);
});

test("folders of one name are told apart by what is above them, however long, and others have their name alone", () => {
  const uris = [
    "file:///x/work/app",
    "file:///y/work/app",
    "file:///lib",
    "vscode-remote://h/%C3%A4/%ZZ/app",
  ];
  const sessions = uris.map((uri) => ({ client: { folder: { uri, name: uri.split("/").at(-1) ?? "" } } }));
  assert.deepEqual(
    [...folderNames([...sessions, { client: {} }])],
    [
      ["file:///x/work/app", "app (x/work)"],
      ["file:///y/work/app", "app (y/work)"],
      ["vscode-remote://h/%C3%A4/%ZZ/app", "app (ä/%ZZ)"],
      ["file:///lib", "lib"],
    ],
  );
});
