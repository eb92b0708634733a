import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { test } from "node:test";
import { hasEnded, newWriterName } from "../../../../../src/platform/files/durable/writerName.ts";
import { temporaryFolder } from "../../../temporaryFolder.ts";
import { openChat, openView, serveChat } from "../../chat.ts";

test("an answer that another window writes appears here, and is marked as interrupted once that window was killed", async (t) => {
  const service = await serveChat(t, { tokensPerSecond: 100 });
  const folder = temporaryFolder();
  const { baseUrl, apiKey } = service.sandbox;
  const script = join(import.meta.dirname, "../../streamingWindow.ts");
  const child = spawn(process.execPath, [script, folder, baseUrl, apiKey], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  t.after(() => child.kill("SIGKILL"));
  const [id] = await once(child.stdout.setEncoding("utf8"), "data");
  service.remembered.set("current", String(id).trim());
  const view = await openView(openChat(t, service, { folder }).controller);
  const length = view.answer.text.length;
  await view.until(({ messages }) => (messages.at(-1)?.text.length ?? 0) > length + 100);
  assert.equal(view.answer.state, "streaming");
  assert.equal(view.state.busy, false);
  child.kill("SIGKILL");
  await view.until(({ messages }) => {
    const last = messages.at(-1);
    return last?.role === "assistant" && last.state === "cut-off";
  });
  assert.match(view.answer.problem?.sentence ?? "", /window was closed/);
  const stored = view.answer.text;
  await view.say("goOn", { answerId: view.answer.id });
  await view.until(({ messages }) => (messages.at(-1)?.text.length ?? 0) > stored.length + 20);
  assert.ok(view.answer.text.startsWith(stored));
  await view.say("stop", {});
});

test("detects whether a writer's process has ended, where the platform allows that", async () => {
  const mine = newWriterName();
  assert.ok(mine.length <= 40 && mine !== newWriterName());
  assert.equal(hasEnded(mine), false);
  const child = spawn(process.execPath, ["-e", ""]);
  await once(child, "exit");
  const [where] = mine.split(".");
  assert.equal(hasEnded(`${where}.${child.pid?.toString(36)}.00000000`), true);
  assert.equal(hasEnded(`elsewhere.${child.pid?.toString(36)}.00000000`), false);
  assert.equal(hasEnded("0a1b2c3d"), false);
});
