// Reasoning that a model writes between tags into its text, cut anywhere.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import fc from "fast-check";
import { ChatCompletion } from "../../../../src/api/endpoints/chat/chatReply.ts";
import { collect } from "../../../../src/api/stream/chatAnswer.ts";
import { ReasoningTags } from "../../../../src/api/stream/reasoningTags.ts";
import { streamText } from "../../../../src/editor/edit/text/streamText.ts";
import type { Client } from "../../../../src/session/session.ts";
import { beginEvents, frame, sendJson } from "../../../loopback/answers.ts";
import { randomCases } from "../../../runner/cases.ts";
import { clientOf, drain, question, serve } from "../client.ts";

interface Split {
  readonly text: string;
  readonly reasoning: string;
}

function split(pieces: readonly string[]): Split {
  const tags = new ReasoningTags();
  let text = "";
  let reasoning = "";
  for (const piece of [...pieces.map((one) => tags.add(one)), tags.end()].flat()) {
    if (piece.part === "text") text += piece.text;
    else if (piece.part === "reasoning") reasoning += piece.text;
    else {
      reasoning += text;
      text = "";
    }
  }
  return { text, reasoning };
}

function cut(text: string, cuts: readonly number[]): string[] {
  const places = [0, ...cuts.map((at) => at % (text.length + 1)).sort((a, b) => a - b), text.length];
  return places.slice(1).map((end, index) => text.slice(places[index], end));
}

const cuts = fc.array(fc.nat(), { maxLength: 12 });
const tags = [
  ["<think>", "</think>"],
  ["<thinking>", "</thinking>"],
  ["<Think>", "</think>"],
  ["<thought>", "</thought>"],
  ["<reasoning>", "</reasoning>"],
  ["<seed:think>", "</seed:think>"],
  ["[THINK]", "[/THINK]"],
  ["<|START_THINKING|>", "<|END_THINKING|>"],
  ["<|begin_of_thought|>", "<|end_of_thought|>"],
  ["◁think▷", "◁/think▷"],
] as const;
const words = fc
  .string({ unit: fc.constantFrom("a", " ", "\n", "<", "</", "think", ">", "`", "b.", "[") })
  .filter((text) => !tags.some(([open, close]) => text.includes(close) || text.includes(open)))
  .map((text) => `w${text}w`);

test("reasoning between tags at the start is no text, however it is cut", () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...tags),
      words,
      words,
      fc.constantFrom("", "\n", " \n\n"),
      cuts,
      (tag, a, b, gap, at) => {
        const answer = `${gap}${tag[0]}${gap}${a}${gap}${tag[1]}${gap}${b}`;
        assert.deepEqual(split(cut(answer, at)), { text: b, reasoning: a }, JSON.stringify(answer));
      },
    ),
    { numRuns: randomCases(2000) },
  );
});

const fixed: readonly (readonly [name: string, answer: string, text: string, reasoning: string])[] = [
  ["no reasoning", "<think>\n\n</think>\n\nHi", "Hi", ""],
  ["two blocks", "<think>\n\n</think>\n<think>a</think>\nHi", "Hi", "a"],
  ["reasoning that never ends", "<think>\nStill at it", "", "Still at it"],
  ["cut inside the end tag", "<think>a</thi", "", "a</thi"],
  ["reasoning without an answer", "<think>a</think>", "", "a"],
  [
    "an end tag that is quoted in the reasoning",
    "<think>Is `</think>` a tag?</think>Yes",
    "Yes",
    "Is `</think>` a tag?",
  ],
  [
    "gpt-oss, whose server does not know its format",
    "<|channel|>analysis<|message|>I see.<|end|><|start|>assistant<|channel|>final<|message|>Hi",
    "Hi",
    "I see.",
  ],
  [
    "gpt-oss, with two messages of reasoning and words before a call",
    "<|channel|>analysis<|message|>a<|end|><|start|>assistant<|channel|>analysis<|message|>b<|end|>" +
      "<|start|>assistant<|channel|>commentary<|message|>I read it.",
    "I read it.",
    "ab",
  ],
  ["gpt-oss without reasoning", "<|channel|>final<|message|>Hi", "Hi", ""],
  ["a lone end tag", "I see.\n\nSo it is.\n</think>\n\nHi", "Hi", "I see.\n\nSo it is.\n"],
  ["a lone end tag at the end", "I see.\n</think>", "", "I see.\n"],
  ["a lone end tag at the start", "</think>\n\nHi", "Hi", ""],
];
for (const [name, answer, text, reasoning] of fixed) {
  test(`${name}, however it is cut`, () => {
    fc.assert(fc.property(cuts, (at) => assert.deepEqual(split(cut(answer, at)), { text, reasoning })));
  });
}

const texts: readonly string[] = [
  "",
  " \n\n Hi",
  "`<think>` is a tag.",
  "```xml\n<think>\n</think>\n```\n",
  "```xml\na\n</think>\nb\n```\n",
  "~~~\n</think>\n~~~",
  "Write it so:\n\n<think>\nReasons\n</think>\n\nAnswer",
  "The end tag </think> ends it.\nIt does.",
  "See </think>\n",
  "<thin",
  "<thinner>a</thinner>",
  "<p>a</p>",
  "<|channel|> is a token.",
  "See <|channel|>analysis<|message|>a<|end|>",
  "[thing]",
  "a\n</thin\nb",
  "<",
];
for (const answer of texts) {
  test(`all of it is text: ${JSON.stringify(answer)}`, () => {
    fc.assert(
      fc.property(cuts, (at) => assert.deepEqual(split(cut(answer, at)), { text: answer, reasoning: "" })),
    );
  });
}

test("nothing of any text is lost but tags and blank space", () => {
  const any = fc.string({
    unit: fc.constantFrom("a", "b", "<think>", "</think>", "<", "/", "\n", " ", "```", "`"),
    maxLength: 30,
  });
  fc.assert(
    fc.property(any, cuts, (answer, at) => {
      const whole = split([answer]);
      const { text, reasoning } = split(cut(answer, at));
      assert.deepEqual([text, reasoning.trimEnd()], [whole.text, whole.reasoning.trimEnd()]);
      const bare = (text: string) => text.replace(/<\/?think>|\s/g, "");
      assert.equal(bare(whole.reasoning + whole.text), bare(answer));
    }),
    { numRuns: randomCases(3000) },
  );
});

test("little is held back, so that long answers take time in proportion to their length", () => {
  const blank = Array.from({ length: 20_000 }, () => "\n");
  for (const opening of ["", "<think>", "<think>a", "<think>a</think>", "a", "a\n"]) {
    const tagged = new ReasoningTags();
    let said = 0;
    for (const piece of [opening, ...blank].flatMap((text) => tagged.add(text)))
      if (piece.part !== "soFar") said += piece.text.length;
    const held = tagged
      .end()
      .reduce((sum, piece) => sum + (piece.part === "soFar" ? 0 : piece.text.length), 0);
    const isDropped = opening.endsWith("think>");
    assert.ok(held <= 1000 && (isDropped ? said <= 1 : said >= blank.length - 1000), opening);
  }
});

test("letters whose lower case is longer do not move the end tag", () => {
  assert.deepEqual(split(["<think>İİİ</think>b"]), { text: "b", reasoning: "İİİ" });
});

test("a server that separates the reasoning sends a lone end tag as text", () => {
  const separated = new ReasoningTags();
  separated.seeReasoning();
  assert.deepEqual(separated.add("a\n</think>\nb"), [{ part: "text", text: "a\n</think>\nb" }]);
});

const thinkFile = new URL("../../fixtures/think.sse", import.meta.url);
const event = (content: string, finish_reason: string | null = null) => ({
  choices: [{ index: 0, delta: { content }, finish_reason }],
});

test("the recorded stream: a greeting with its reasoning, in the answer and as text for an editor", async (t) => {
  const server = await serve(t, (_, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.end(readFileSync(thinkFile));
  });
  const { api } = clientOf(t, server.origin);
  const { answer } = await collect(await api.chat.stream(question));
  const [choice] = answer.choices;
  assert.equal(choice?.message.content, "Hello!");
  assert.equal(choice?.message.reasoning_content, "The user greets me.");
  const seen: string[] = [];
  const client = { api, connection: { kind: "live" } } as unknown as Client;
  const { text } = await streamText(client, {
    model: { id: "m" } as never,
    rules: "",
    question: "?",
    cacheKey: "k",
    signal: new AbortController().signal,
    onText: (so) => seen.push(so),
  });
  assert.deepEqual([text, seen], ["Hello!", ["Hello!"]]);
});

test("a lone end tag makes reasoning of the text before, in the answer and for an editor", async (t) => {
  const server = await serve(t, (_, response) => {
    beginEvents(
      response,
      event("First I think.\n"),
      event("</think>\n\nfix: a"),
      event(" bug", "stop"),
      "[DONE]",
    );
    response.end();
  });
  const { api } = clientOf(t, server.origin);
  const { answer } = await collect(await api.chat.stream(question));
  const { content, reasoning_content } = answer.choices[0]?.message ?? {};
  assert.deepEqual([content, reasoning_content], ["fix: a bug", "First I think.\n"]);
  const client = { api, connection: { kind: "live" } } as unknown as Client;
  const asked = { model: { id: "m" } as never, rules: "", question: "?", cacheKey: "k", onText() {} };
  const { text } = await streamText(client, { ...asked, signal: new AbortController().signal });
  assert.equal(text, "fix: a bug");
});

test("what is held back arrives if the stream breaks off, with an error or without", async (t) => {
  const error = { error: { message: "overloaded", code: 503 } };
  for (const last of [frame("[DONE]"), "", frame(error)]) {
    const server = await serve(t, (_, response) => {
      beginEvents(response, event("<thi"));
      response.end(last);
    });
    const { text } = await drain(await clientOf(t, server.origin).api.chat.stream(question));
    assert.equal(text, "<thi");
  }
});

test("an answer that is not streamed is split, too, whole or as the only event", async (t) => {
  const reply = { choices: [{ message: { content: "<think>\nhm\n</think>\n\nreturn 1" } }] };
  const server = await serve(t, (_, response) => sendJson(response, 200, reply));
  const { api } = clientOf(t, server.origin);
  const whole = (await api.chat.complete(question)).choices[0]?.message;
  assert.deepEqual([whole?.content, whole?.reasoning_content], ["return 1", "hm"]);
  const { answer } = await collect(await api.chat.stream(question));
  assert.equal(answer.choices[0]?.message.content, "return 1");
  const plain = { choices: [{ message: { content: "See `<think>`.", extra: 1 } }] };
  assert.equal(ChatCompletion.parse(plain).choices[0]?.message.content, "See `<think>`.");
});

test("a service can't declare its text reasoning", async (t) => {
  const server = await serve(t, (_, response) => {
    const forged = { choices: [{ index: 0, delta: { content: "b", ends_reasoning: true } }] };
    beginEvents(response, event("a"), forged, "[DONE]");
    response.end();
  });
  const { answer } = await collect(await clientOf(t, server.origin).api.chat.stream(question));
  assert.equal(answer.choices[0]?.message.content, "ab");
});
