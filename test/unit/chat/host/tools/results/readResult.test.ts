import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { createLiveChat } from "../../../../../../src/chat/host/conversation/liveChat.ts";
import { toTreeNodes } from "../../../../../../src/chat/host/history/log/conversation.ts";
import { handleOf, KeptResults } from "../../../../../../src/chat/host/tools/results/keptResults.ts";
import { createReadResultTool } from "../../../../../../src/chat/host/tools/results/readResultTool.ts";
import {
  boundedToolText,
  countRows,
  maxResultLength,
  maxRowLength,
  maxSentTokens,
  rowsOf,
  sentResult,
} from "../../../../../../src/chat/host/tools/results/resultText.ts";
import type { CallContext } from "../../../../../../src/chat/host/tools/tool.ts";
import { upperTokens } from "../../../../../../src/shared/chat/tokenEstimate.ts";
import type { ToolInput } from "../../../../../../src/tools/serviceTool.ts";
import { randomCases } from "../../../../../runner/cases.ts";
import { answerWith, silent } from "../../../answerMessage.ts";

const lines = fc.array(
  fc.oneof(
    fc.string({ maxLength: 200, unit: "grapheme" }),
    fc.constantFrom(
      "",
      "日本語のテキスト".repeat(40),
      "🙂".repeat(1500),
      "x".repeat(5000),
      "aGVsbG8".repeat(300),
    ),
  ),
  { maxLength: 200 },
);
const text = fc.tuple(lines, fc.constantFrom("\n", "\r\n")).map(([all, end]) => all.join(end));
const never = new AbortController().signal;

const read = (whole: string, input: ToolInput, maxTokens = maxSentTokens) => {
  const results = { find: async () => whole, maxTokens, addPicture: async () => {} };
  const context: CallContext = {
    ...{ source: { kind: "chat" }, results },
    ...{ changed() {}, planned() {}, written() {}, began() {} },
  };
  return createReadResultTool().run?.({ handle: "h", ...input }, never, context) ?? assert.fail();
};

test("all rows of a text are the text, none is long, and none splits a character", () => {
  fc.assert(
    fc.property(text, (whole) => {
      const rows = [...rowsOf(whole)];
      assert.equal(rows.join(""), whole);
      assert.ok(rows.every((row) => row.length <= maxRowLength + 1 && row.isWellFormed()));
    }),
    { numRuns: randomCases(300) },
  );
});

test("a cut result and what read_result gives after it are the whole text, each within the bound", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(text, { minLength: 1, maxLength: 12 }).map((parts) => parts.join("\n")),
      fc.constantFrom<"beginning" | "both ends">("beginning", "both ends"),
      fc.constantFrom(1_000, maxSentTokens),
      async (whole, parts, maxTokens) => {
        const sent = sentResult(whole, { handle: "h" }, parts, maxTokens);
        assert.ok(upperTokens(sent) <= maxTokens + 2_200, "a row and the note beyond the bound, at most");
        const note =
          /(?:^|\n)\[(?:Line (\d+) of \d+ is|The lines (\d+) to (\d+) of \d+ are) left out here\. [^\n]*\]/.exec(
            sent,
          );
        if (!note) return assert.equal(sent, whole);
        const from = Number(note[1] ?? note[2]);
        const to = Number(note[1] ?? note[3]);
        let rest = "";
        for (let offset = from; offset <= to; ) {
          const answer = await read(whole, { offset, limit: to - offset + 1 }, maxTokens);
          const end = /\n\[Lines \d+ to (\d+) of \d+[^\n]*\]$/.exec(answer);
          assert.ok(end, "the range is named");
          rest += answer.slice(0, end.index);
          offset = Number(end[1]) + 1;
        }
        const rows = [...rowsOf(whole)];
        assert.equal(rest, rows.slice(from - 1, to).join(""));
        assert.ok(sent.startsWith(rows.slice(0, from - 1).join("")));
        assert.ok(sent.endsWith(rows.slice(to).join("")));
      },
    ),
    { numRuns: randomCases(200) },
  );
});

test("lines of a result are found by a text in any case, with their numbers, and the rest is counted", async () => {
  const whole = Array.from(
    { length: 30_000 },
    (_, index) => `test ${index} ${index % 3 ? "passed" : "FAILED"}`,
  ).join("\n");
  const found = await read(whole, { query: "failed" });
  assert.match(found, /^ {5}1\ttest 0 FAILED\n {5}4\ttest 3 FAILED\n/);
  const shown = found.split("\n").length - 1;
  assert.ok(
    found.endsWith(`(${10_000 - shown} more lines contain it: use a later offset)`),
    found.slice(-80),
  );
  assert.ok(upperTokens(found) <= maxSentTokens);
  assert.match(
    await read(whole, { query: "skipped" }),
    /^No line of the result contains “skipped”\. It has 30000 lines\./,
  );
  assert.match(await read(whole, { query: "failed", offset: 29_990 }), /^ 29992\ttest 29991 FAILED\n/);
  await assert.rejects(
    read(whole, { offset: 40_000 }),
    /Line 40000 is after the end: the result has 30000 lines\./,
  );
});

test("a result of any length is stored in bounds, is found by its handle in its chat only, also after a reload", async () => {
  const files = new Map<string, Uint8Array>();
  const blobs = {
    async put(content: Uint8Array | string) {
      const name = `${files.size}`.padStart(64, "0").concat(".txt");
      files.set(name, Buffer.from(content));
      return name;
    },
    read: async (name: string) => files.get(name),
  };
  const chat = createLiveChat(silent);
  chat.add({ role: "user", id: "q", text: "Go" }, null);
  const results = new KeptResults({ chat, blobs, bounds: { ofOne: 300_000, ofAll: 600_000 } });
  const give = async (id: string, whole: string) => {
    const call = { id: "c", name: "run_command", title: "", says: "", arguments: "{}" } as const;
    const result = await results.keep(whole);
    chat.add(answerWith(id, { calls: [{ ...call, state: "done", ...result }] }), chat.leafId);
    return handleOf(id, "c");
  };
  const long = Array.from({ length: 20_000 }, (_, index) => `line ${index}`).join("\n");
  const [short, first] = [await give("a1", "short"), await give("a2", long)];
  assert.equal(await results.find(short), "short");
  assert.equal(await results.find(first), long);
  const stored = chat.tree.get("a2");
  assert.ok(stored?.role === "assistant");
  const [card] = stored.calls ?? [];
  assert.ok((card?.result ?? "").length <= maxResultLength + 100);
  assert.equal(card?.whole?.rows, 20_000);
  const [reloaded] = toTreeNodes([JSON.parse(JSON.stringify(stored))]);
  assert.deepEqual(reloaded?.role === "assistant" && reloaded.calls, stored.calls);
  const tooLong = await give("a3", "y".repeat(1_000_000));
  assert.ok((await results.find(tooLong)).length <= 300_100);
  const sent = sentResult(card?.result ?? "", { handle: first, rows: card?.whole?.rows }, "both ends");
  await give("a4", long);
  await assert.rejects(results.find(first), /is no longer kept whole\. Call the tool again that gave it\./);
  const after = chat.tree.get("a2");
  const [same] = (after?.role === "assistant" && after.calls) || [];
  assert.equal(sentResult(same?.result ?? "", { handle: first, rows: same?.whole?.rows }, "both ends"), sent);
  const other = new KeptResults({ chat: createLiveChat(silent), blobs });
  await assert.rejects(other.find(first), /There is no result \w+ in this chat\./);
});

test("without room on the disk the beginning and the end of a result are kept", async () => {
  const blobs = { put: () => Promise.reject(new Error("ENOSPC")), read: async () => undefined };
  const results = new KeptResults({ chat: createLiveChat(silent), blobs });
  const { result = "", whole } = await results.keep("z\n".repeat(100_000));
  assert.equal(whole, undefined);
  assert.match(result, /… 136,000 characters were left out …/);
});

test("the result of a passing test run is sent by its beginning and its end, and its cost does not grow with its length", () => {
  const run = (count: number) =>
    [
      "> npm test",
      ...Array.from({ length: count }, (_, index) => `✔ reads option --flag-${index} (0.${index}ms)`),
      "ℹ pass 2048",
      "ℹ fail 0",
      "Exit code 0.",
    ].join("\n");
  for (const count of [1500, 3000, 6000]) {
    const whole = run(count);
    const sent = sentResult(boundedToolText(whole), { handle: "h", rows: countRows(whole) }, "both ends");
    assert.ok(upperTokens(sent) <= maxSentTokens + 100, `${upperTokens(sent)} tokens`);
    assert.match(sent, /^> npm test\n✔ /);
    assert.match(sent, /\nℹ fail 0\nExit code 0\.$/);
    for (const line of sent.split("\n"))
      assert.match(line, /^(> npm test|✔ .*ms\)|ℹ .*|Exit code 0\.|\[The lines .*\])$/);
  }
});
