import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { AgentSession } from "../../../src/agents/agentSession.ts";
import { agentLimits } from "../../../src/agents/wire/agentLimits.ts";
import { askFake, fakeStart, recordingHost } from "./agentKit.ts";

const never = new AbortController().signal;
const text = (words: string) => ({ type: "text", text: words });
const options = [
  { optionId: "yes", name: "Allow", kind: "allow_once" },
  { optionId: "no", name: "Reject", kind: "reject_once" },
];

describe("a turn of another agent", () => {
  it("tells texts, thoughts, steps and the plan as they come", async () => {
    const { told, stopReason } = await askFake({
      steps: [
        { update: { sessionUpdate: "agent_thought_chunk", content: text("Hm.") } },
        { say: "Look" },
        { say: "ing." },
        { update: { sessionUpdate: "tool_call", toolCallId: "1", title: "Edit a.ts", kind: "edit" } },
        {
          update: {
            sessionUpdate: "tool_call_update",
            toolCallId: "1",
            status: "completed",
            rawInput: { path: "a.ts" },
            content: [
              { type: "diff", path: "/w/a.ts", oldText: "a\nb\nc", newText: "a\nB\nc" },
              { type: "content", content: text("done") },
              { type: "terminal", terminalId: "9" },
            ],
          },
        },
        {
          update: {
            sessionUpdate: "plan",
            entries: [
              { content: "Read", priority: "high", status: "completed" },
              { content: "Write", priority: "low", status: "in_progress" },
            ],
          },
        },
        { update: { sessionUpdate: "available_commands_update", availableCommands: [] } },
        {
          update: {
            sessionUpdate: "agent_message_chunk",
            content: { type: "image", data: "", mimeType: "" },
          },
        },
      ],
    });
    assert.equal(stopReason, "end_turn");
    assert.equal(told.text, "Looking.");
    assert.equal(told.reasoning, "Hm.");
    assert.equal(told.plan, "- [x] Read\n- [ ] Write");
    assert.deepEqual(
      [...told.calls.values()],
      [
        {
          id: "1",
          title: "Edit a.ts",
          kind: "edit",
          state: "done",
          input: '{"path":"a.ts"}',
          text: "/w/a.ts\n-b\n+B\ndone\n",
        },
      ],
    );
  });

  it("is asked in its own words", async () => {
    const { told } = await askFake({ steps: [{ say: "$prompt" }] });
    assert.equal(told.text, '[{"type":"text","text":"Do it."}]');
  });

  it("is answered by the model that its session is to have", async () => {
    const start = { ...fakeStart({ steps: [{ model: true }] }), model: "glm" };
    const session = await AgentSession.open(start, agentLimits, never);
    const { told, host } = recordingHost();
    await session.prompt([{ type: "text", text: "Do it." }], host, never);
    assert.equal(told.text, "glm");
    session.kill();
    await session.whenOver;
  });

  it("tells a result that is data alone", async () => {
    const step = { sessionUpdate: "tool_call", toolCallId: "1", title: "Run", status: "completed" };
    const { told } = await askFake({ steps: [{ update: { ...step, rawOutput: "ok" } }] });
    assert.equal(told.calls.get("1")?.text, "ok");
  });

  it("gets the option that the user has chosen, and no other", async () => {
    const steps = [
      {
        ask: {
          method: "session/request_permission",
          params: { toolCall: { toolCallId: "1", title: "rm -rf \u202e/" }, options },
        },
      },
    ];
    const chosen = async (option: string | undefined) => {
      const { told } = await askFake({ steps }, { answers: { ask: async () => option } });
      return JSON.parse(told.text) as unknown;
    };
    assert.deepEqual(await chosen("yes"), { outcome: { outcome: "selected", optionId: "yes" } });
    assert.deepEqual(await chosen(undefined), { outcome: { outcome: "cancelled" } });
    assert.deepEqual(await chosen("root"), { outcome: { outcome: "cancelled" } });
    const { told } = await askFake({ steps });
    assert.equal(told.questions[0]?.call.title, "rm -rf ⟨U+202E⟩/");
  });

  it("reads and writes files through the window", async () => {
    const { told } = await askFake({
      steps: [
        { ask: { method: "fs/read_text_file", params: { path: "/w/a.ts" } } },
        { ask: { method: "fs/write_text_file", params: { path: "/w/a.ts", content: "b" } } },
      ],
    });
    assert.equal(told.text, '{"content":"text of /w/a.ts"}{}');
    assert.deepEqual(told.written, [["/w/a.ts", "b"]]);
  });

  it("is told why a file can't be read, and that there are no terminals", async () => {
    const read = () => Promise.reject(new Error("It is a secret."));
    const { told } = await askFake(
      {
        steps: [
          { ask: { method: "fs/read_text_file", params: { path: "/w/.env" } } },
          { ask: { method: "terminal/create", params: { command: "ls" } } },
          { ask: { method: "fs/read_text_file", params: { path: 5 } } },
          { ask: { method: "fs/read_text_file", params: { path: "/w/a", sessionId: "another" } } },
        ],
      },
      { answers: { read } },
    );
    assert.equal(
      told.text,
      [
        '"It is a secret."',
        '"There is no method terminal/create."',
        '"The parameters are not those of the protocol."',
        '"There is no such session."',
      ].join(""),
    );
  });

  it("ends when it is cancelled, also one that does not listen", async () => {
    for (const isDeaf of [false, true]) {
      const abort = new AbortController();
      const session = await AgentSession.open(
        fakeStart({ steps: [{ say: "a" }, { hang: true }], isDeaf }),
        { ...agentLimits, cancelMs: 50 },
        never,
      );
      const { host } = recordingHost({ onText: () => abort.abort(new Error("stopped by the user")) });
      const asked = session.prompt([{ type: "text", text: "Do it." }], host, abort.signal);
      if (isDeaf) await assert.rejects(asked, /stopped by the user/);
      else assert.equal(await asked, "cancelled");
      session.kill();
      await session.whenOver;
    }
  });

  it("has its questions cancelled with it", async () => {
    const abort = new AbortController();
    const params = { toolCall: { toolCallId: "1", title: "Run" }, options };
    let wasAborted = false;
    const asked = askFake(
      { steps: [{ ask: { method: "session/request_permission", params } }, { hang: true }] },
      {
        signal: abort.signal,
        answers: {
          ask: (_, signal) =>
            new Promise((resolve) => {
              signal.addEventListener("abort", () => {
                wasAborted = true;
                resolve("yes");
              });
              abort.abort(new Error("stopped"));
            }),
        },
      },
    );
    const { stopReason } = await asked;
    assert.equal(stopReason, "cancelled");
    assert.equal(wasAborted, true);
  });
});

describe("an agent that fails", () => {
  const failing: readonly [string, Parameters<typeof askFake>[0], RegExp][] = [
    [
      "at its start",
      { start: { exit: 3 } },
      /^Fake could not be started: it ended with code 3: no licence\./,
    ],
    [
      "with an error",
      { start: { error: "Sign in first." } },
      /^Fake asks you to sign in: Sign in first\. Start it/,
    ],
    ["with another version", { start: { version: 2 } }, /it speaks version 2 of the protocol/],
    [
      "in a turn",
      { steps: [{ say: "a" }, { error: "boom\n" }, { exit: 1 }] },
      /^Fake stopped: .*code 1: boom\./,
    ],
  ];
  for (const [when, fake, sentence] of failing)
    it(`${when} says so`, () => assert.rejects(askFake(fake), { message: sentence }));

  it("that is silent is ended", async () => {
    await assert.rejects(
      askFake({ start: { silent: true } }, { limits: { startMs: 300 } }),
      /did not answer in time/,
    );
    await assert.rejects(
      askFake({ steps: [{ hang: true }] }, { limits: { silenceMs: 50 } }),
      /has sent nothing for too long/,
    );
  });

  it("that can't be run says so", async () => {
    const start = { ...fakeStart({}), command: ["/there/is/none"] as const };
    await assert.rejects(
      AgentSession.open(start, agentLimits, never),
      /^Error: Fake could not be started: .*ENOENT/,
    );
  });
});

describe("a hostile agent", () => {
  const chunk = { sessionUpdate: "agent_message_chunk", content: text("x".repeat(1000)) };
  const step = { sessionUpdate: "tool_call_update", toolCallId: "1", title: "again" };
  const ended: readonly [string, Record<string, unknown>, Parameters<typeof askFake>[1], RegExp][] = [
    [
      "a message without an end",
      { long: 200_000 },
      { limits: { messageBytes: 100_000 } },
      /message that is too long/,
    ],
    [
      "more than it may",
      { endless: chunk },
      { limits: { minuteBytes: 1_000_000 } },
      /too much within a minute/,
    ],
    ["text without end", { endless: chunk }, { limits: { turnLength: 100_000 } }, /its answer is too long/],
    ["steps without end", { endless: step }, { limits: { turnLength: 100_000 } }, /its answer is too long/],
  ];
  for (const [what, doing, options_, sentence] of ended)
    it(`that sends ${what} is ended`, () =>
      assert.rejects(askFake({ steps: [doing, { hang: true }] }, options_), sentence));

  it("is not heard for another session, with text that is no message, or with answers to nothing", async () => {
    const { told, stopReason } = await askFake({
      steps: [
        { foreign: chunk },
        { raw: "not json" },
        { raw: "[1,2]" },
        { raw: "null" },
        { raw: '{"jsonrpc":"2.0","id":99,"result":{}}' },
        { raw: '{"jsonrpc":"2.0","id":"__proto__","result":{}}' },
        { raw: '{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s1","update":{}}}' },
        { update: { sessionUpdate: "tool_call", toolCallId: "", title: "no id" } },
        { update: { sessionUpdate: "tool_call", toolCallId: "2", title: "t", kind: "evil", content: "x" } },
        { say: "ok" },
      ],
    });
    assert.equal(stopReason, "end_turn");
    assert.equal(told.text, "ok");
    assert.deepEqual([...told.calls.keys()], ["2"]);
    assert.equal(told.calls.get("2")?.kind, "other");
  });

  it("has bounded titles, inputs and results", async () => {
    const long = "y".repeat(30_000);
    const { told } = await askFake({
      steps: [
        {
          update: {
            sessionUpdate: "tool_call",
            toolCallId: "1",
            title: long,
            rawInput: { long },
            content: [{ type: "content", content: text(long) }],
          },
        },
      ],
    });
    const call = told.calls.get("1");
    assert.ok((call?.title.length ?? 0) < 400);
    assert.ok((call?.input.length ?? 0) < 5_000);
    assert.ok((call?.text.length ?? 0) < 21_000);
  });
});
