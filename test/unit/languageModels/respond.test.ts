import assert from "node:assert/strict";
import { test } from "node:test";
import { beginEvents, chunk, frame, sendJson } from "../../loopback/answers.ts";
import type { Answer } from "../../loopback/server.ts";
import { replace } from "../vscodeDouble.ts";
import { ask, cancellation, message, model, openModels, parts, user } from "./editorModels.ts";

const weather = { name: "weather", description: "The weather.", inputSchema: { type: "object" } };

function delta(members: object, finishReason: string | null = null) {
  return { ...chunk(""), choices: [{ index: 0, delta: members, finish_reason: finishReason }] };
}

function stream(...events: readonly unknown[]): Answer {
  return (_, response) => {
    beginEvents(response, ...events);
    response.end(frame("[DONE]"));
  };
}

const call = (index: number, id: string, text: string, extra: object = {}) => ({
  index,
  id,
  type: "function",
  ...extra,
  function: { name: "weather", arguments: text },
});

test("text and reasoning arrive as parts, the usage as data of type `usage`; the source is the editor's chat", async (t) => {
  const usage = { prompt_tokens: 9, completion_tokens: 2 };
  const { models, sources } = await openModels(
    t,
    stream(delta({ reasoning_content: "Hm." }), chunk("Hello"), { ...chunk(""), choices: [], usage }),
  );
  const seen = await ask(models.respond, [user("Hi")], {
    requestInitiator: "inference-workbench.inference-workbench",
  });
  assert.deepEqual(seen, [
    { value: "Hm." },
    { value: "Hello" },
    { data: JSON.stringify({ ...usage, total_tokens: 11 }), mimeType: "usage" },
  ]);
  await ask(models.respond, [user("Hi")], { requestInitiator: "core" });
  assert.deepEqual(sources, [
    { kind: "nativeChat", client: "inference-workbench.inference-workbench" },
    { kind: "nativeChat" },
  ]);
});

test("reasoning and unknown members of parallel calls go back verbatim with the next request", async (t) => {
  const first = call(0, "call_1", '{"place": "Rome"}', { extra_content: { google: { thought: "s1" } } });
  const second = call(1, "call_2", '{ "place":"Oslo" }');
  let rounds = 0;
  const { models, server } = await openModels(t, (request, response) => {
    rounds += 1;
    const answer =
      rounds === 1
        ? stream(
            delta({ reasoning_content: "secret", reasoning_encrypted: true, thought_signature: "sig" }),
            delta({ tool_calls: [first, second] }, "tool_calls"),
          )
        : stream(chunk("Warm."));
    return answer(request, response);
  });
  const seen = await ask(models.respond, [user("Where is it warm?")], { tools: [weather], toolMode: 2 });
  assert.deepEqual(seen, [
    { callId: "call_1", name: "weather", input: { place: "Rome" } },
    { callId: "call_2", name: "weather", input: { place: "Oslo" } },
  ]);
  const { LanguageModelToolCallPart: Call, LanguageModelToolResultPart: Result } = parts;
  const text = (value: string) => [new parts.LanguageModelTextPart(value)];
  await ask(
    models.respond,
    [
      user("Where is it warm?"),
      message(
        2,
        new Call("call_1", "weather", { place: "Rome" }),
        new Call("call_2", "weather", { place: "Oslo" }),
      ),
      message(1, new Result("call_2", text("5 °C"))),
      message(1, new Result("call_1", text("25 °C"))),
    ],
    { tools: [weather] },
  );
  const bodies = server.received.map(({ body }) => JSON.parse(body));
  assert.equal(bodies[0].tool_choice, "required");
  const { index: _, ...sentFirst } = first;
  const { index: __, ...sentSecond } = second;
  assert.deepEqual(bodies[1].messages.slice(1), [
    {
      role: "assistant",
      content: null,
      reasoning_content: "secret",
      reasoning_encrypted: true,
      thought_signature: "sig",
      tool_calls: [sentFirst, sentSecond],
    },
    { role: "tool", tool_call_id: "call_1", content: "25 °C" },
    { role: "tool", tool_call_id: "call_2", content: "5 °C" },
  ]);
});

test("the raw text of Codex's custom call is the input of the editor's tool, and goes back as it came", async (t) => {
  const input = "*** Begin Patch\n*** Delete File: a.txt\n*** End Patch";
  const custom = { id: "call_1", type: "custom", custom: { name: "apply_patch", input } };
  const applyPatch = {
    name: "apply_patch",
    description: "Patches.",
    inputSchema: {
      type: "object",
      properties: { input: { type: "string" }, explanation: { type: "string" } },
      required: ["input", "explanation"],
    },
  };
  const { models, server } = await openModels(
    t,
    stream(delta({ tool_calls: [{ index: 0, ...custom }] }, "tool_calls")),
  );
  const seen = await ask(models.respond, [user("Delete it.")], { tools: [applyPatch] });
  assert.deepEqual(seen, [{ callId: "call_1", name: "apply_patch", input: { input } }]);
  const { LanguageModelToolCallPart: Call, LanguageModelToolResultPart: Result } = parts;
  const result = new Result("call_1", [new parts.LanguageModelTextPart("Done.")]);
  const next = [
    user("Delete it."),
    message(2, new Call("call_1", "apply_patch", { input })),
    message(1, result),
  ];
  await ask(models.respond, next, { tools: [applyPatch] });
  const { messages } = JSON.parse(server.received.at(-1)?.body ?? "");
  assert.deepEqual(messages.at(-2).tool_calls, [custom]);
});

test("two requests at once keep their calls apart", async (t) => {
  const { models } = await openModels(t, ({ body }, response) => {
    const place = body.includes("Rome") ? "Rome" : "Oslo";
    beginEvents(response, delta({ tool_calls: [call(0, place, '{"place":')] }));
    setImmediate(() => {
      response.write(frame(delta({ tool_calls: [{ index: 0, function: { arguments: `"${place}"}` } }] })));
      response.end(frame("[DONE]"));
    });
  });
  const both = ["Rome", "Oslo"].map((place) => ask(models.respond, [user(place)], { tools: [weather] }));
  assert.deepEqual(await Promise.all(both), [
    [{ callId: "Rome", name: "weather", input: { place: "Rome" } }],
    [{ callId: "Oslo", name: "weather", input: { place: "Oslo" } }],
  ]);
});

test("a call with broken JSON names its tool, and no call of the answer is reported", async (t) => {
  for (const broken of ['{"place": "Ro', "[1]"]) {
    const calls = [call(0, "call_1", "{}"), call(1, "call_2", broken)];
    const { models } = await openModels(t, stream(delta({ tool_calls: calls }, "tool_calls")));
    const seen: unknown[] = [];
    const progress = { report: (part: unknown) => seen.push(part) };
    const asked = models.respond(
      model,
      [user("?")],
      { tools: [weather], toolMode: 1 },
      progress,
      cancellation().token,
    );
    await assert.rejects(asked, {
      code: "Unknown",
      message:
        "The model called the tool weather with arguments that are not valid JSON, so the call was not run. Send the message again, or choose another model.",
    });
    assert.deepEqual(seen, []);
  }
});

test("a cut answer is an error after its text", async (t) => {
  const { models } = await openModels(t, (_, response) => {
    beginEvents(response, chunk("Half"));
    response.end();
  });
  await assert.rejects(ask(models.respond, [user("?")]), {
    code: "Unknown",
    message: /^One ended the answer before it was complete\./,
  });
});

test("a call whose id was used before in the answer gets its own id, and its result goes with it", async (t) => {
  const calls = ["Rome", "Oslo"].map((place, index) => call(index, "same", `{"place":"${place}"}`));
  const { models, server } = await openModels(t, stream(delta({ tool_calls: calls }, "tool_calls")));
  const seen = (await ask(models.respond, [user("?")], { tools: [weather] })) as {
    readonly callId: string;
  }[];
  const [first = "", second = ""] = seen.map(({ callId }) => callId);
  assert.equal(first, "same");
  assert.notEqual(second, first);
  const { LanguageModelToolCallPart: Call, LanguageModelToolResultPart: Result } = parts;
  const results = [first, second].map((id) => new Result(id, [new parts.LanguageModelTextPart(`of ${id}`)]));
  const made = [
    new Call(first, "weather", { place: "Rome" }),
    new Call(second, "weather", { place: "Oslo" }),
  ];
  await ask(models.respond, [user("?"), message(2, ...made), message(1, ...results)], { tools: [weather] });
  const sent = JSON.parse(server.received[1]?.body ?? "").messages.slice(2);
  assert.deepEqual(sent, [
    { role: "tool", tool_call_id: first, content: `of ${first}` },
    { role: "tool", tool_call_id: second, content: `of ${second}` },
  ]);
});

test("names of members of Object are only data: as a tool, as an argument, as an option, as a model", async (t) => {
  const text = '{"__proto__": {"a": 1}, "constructor": 2}';
  const tools = [{ ...weather, name: "constructor" }];
  const made = { ...call(0, "__proto__", text), function: { name: "constructor", arguments: text } };
  const { models, server } = await openModels(t, stream(delta({ tool_calls: [made] }, "tool_calls")));
  const modelOptions = JSON.parse('{"__proto__": 1, "constructor": 2, "temperature": 0.5}');
  const [seen] = await ask(models.respond, [user("?")], { tools, modelOptions });
  assert.deepEqual(seen, { callId: "__proto__", name: "constructor", input: JSON.parse(text) });
  const body = JSON.parse(server.received[0]?.body ?? "");
  assert.equal(body.temperature, 0.5);
  assert.ok(!Object.hasOwn(body, "constructor"));
});

test("more calls than an answer may hold are refused, and none is run", async (t) => {
  const calls = Array.from({ length: 129 }, (_, index) => call(index, `call_${index}`, "{}"));
  const { models } = await openModels(t, stream(delta({ tool_calls: calls }, "tool_calls")));
  await assert.rejects(ask(models.respond, [user("?")], { tools: [weather] }), {
    message: /^The model called more than 128 tools in one answer, so none of the calls was run\./,
  });
});

test("10 MB of reasoning arrive complete, and go back with the next round", async (t) => {
  const piece = "why ".repeat(2_500);
  const pieces = Array.from({ length: 1_000 }, () => delta({ reasoning_content: piece }));
  const last = delta({ tool_calls: [call(0, "call_1", "{}")] }, "tool_calls");
  const { models } = await openModels(t, stream(...pieces, last));
  const seen = (await ask(models.respond, [user("?")], { tools: [weather] })) as {
    readonly value?: string;
  }[];
  assert.equal(
    seen.reduce((sum, { value = "" }) => sum + value.length, 0),
    10_000_000,
  );
});

test("a long wait at a rate limit is shown with its reason, and ends with a cancel", async (t) => {
  const { models } = await openModels(t, (_, response) => {
    sendJson(response, 429, { error: "Slow down." }, { "retry-after": "40" });
  });
  const { promise: isShown, resolve } = Promise.withResolvers<string>();
  const done: unknown[] = [];
  const withProgress = async ({ title }: { title?: string }, task: () => unknown) => {
    resolve(title ?? "");
    done.push(await task());
  };
  replace("window", { withProgress }, t);
  const { token, cancel } = cancellation();
  const asked = models.respond(model, [user("?")], { toolMode: 1 }, { report() {} }, token);
  assert.match(await isShown, /^One is at a rate limit\. The request is sent again in (39|40|41) s\./);
  cancel();
  await asked;
  await new Promise((resolved) => setImmediate(resolved));
  assert.equal(done.length, 1);
});

const refusals = [
  [401, "NoPermissions", /does not accept this key.*set another one/],
  [402, "Blocked", /asks for payment.*Top up/],
  [403, "NoPermissions", /does not allow this here.*Choose another model/],
  [404, "NotFound", /did not find.*Choose another model/],
  [410, "NotFound", /no longer offers this.*Choose another model/],
  [422, "Blocked", /refused the content.*Rephrase/],
  [400, "Unknown", /did not accept the request/],
] as const;

test("errors of the service have a code of the editor, a reason and a next step", async (t) => {
  for (const [status, code, words] of refusals) {
    const { models } = await openModels(t, (_, response) => sendJson(response, status, { error: "No." }));
    await assert.rejects(ask(models.respond, [user("?")]), (error: Error & { code: string }) => {
      assert.equal(error.code, code, String(status));
      assert.match(error.message, words);
      assert.ok(error instanceof parts.LanguageModelError && error.cause instanceof Error);
      return true;
    });
  }
});

test("a connection that was removed is said so", async (t) => {
  const { models } = await openModels(t, stream(), { connections: [] });
  await assert.rejects(ask(models.respond, [user("?")]), {
    code: "NotFound",
    message: /^The connection of Guide/,
  });
});

test("a cancel closes the socket, reports nothing more and is no error", async (t) => {
  const { models, server } = await openModels(t, (_, response) => beginEvents(response, chunk("One ")));
  const { token, cancel } = cancellation();
  const seen: unknown[] = [];
  const report = (part: unknown) => {
    seen.push(part);
    cancel();
  };
  await models.respond(model, [user("?")], { toolMode: 1 }, { report }, token);
  const request = await server.arrival(0);
  await request.closed;
  assert.equal(seen.length, 1);
});

test("a cancel before the request sends nothing", async (t) => {
  const { models, server } = await openModels(t, stream(chunk("late")));
  const { token, cancel } = cancellation();
  cancel();
  await models.respond(model, [user("?")], { toolMode: 1 }, { report: () => assert.fail() }, token);
  assert.equal(server.received.length, 0);
});

test("reported usage corrects the token counts of that model alone", async (t) => {
  const text = "some words of a prompt ".repeat(20);
  const usage = { prompt_tokens: 230, completion_tokens: 1 };
  const { models } = await openModels(t, stream({ ...chunk(""), choices: [], usage }));
  const before = models.countTokens(model, text);
  assert.equal(before, 115);
  await ask(models.respond, [user(text)]);
  const after = models.countTokens(model, text);
  assert.ok(after > 220 && after <= 230, String(after));
  assert.equal(models.countTokens({ ...model, id: "c-1/other" }, text), before);
  assert.equal(models.countTokens(model, user(text)), after + 4);
});
