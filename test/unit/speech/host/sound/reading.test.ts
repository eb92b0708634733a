// Requests and costs while a text is read: the real client with the sandbox over HTTP.
import assert from "node:assert/strict";
import { mkdtemp, readdir, rm, utimes } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { apiRoot } from "../../../../../src/api/call/client.ts";
import { readWav } from "../../../../../src/speech/host/formats/wav.ts";
import { Reading } from "../../../../../src/speech/host/sound/reading.ts";
import { createReadingStore, newReadingId } from "../../../../../src/speech/host/sound/readingStore.ts";
import { SoundStore } from "../../../../../src/speech/host/sound/soundStore.ts";
import { Sounds } from "../../../../../src/speech/host/sound/sounds.ts";
import { toSpeechRequest } from "../../../../../src/speech/host/sound/speechRequest.ts";
import { toPlainBlocks } from "../../../../../src/speech/host/text/textBlocks.ts";
import { toSentences } from "../../../../../src/speech/host/text/toSentences.ts";
import { firstChoice, firstModel } from "../../../../../src/speech/host/voices/speechModel.ts";
import { isVoiceRefusal, otherVoice } from "../../../../../src/speech/host/voices/voiceProblem.ts";
import type { ToPlayer } from "../../../../../src/speech/protocol/speechProtocol.ts";
import { startTestSandbox, type TestSandbox } from "../../../../serviceKit/testSandbox.ts";
import { clientOf } from "../../../api/client.ts";

const text =
  "The first sentence. The second sentence. The third sentence. The fourth sentence.\n\nThe fifth sentence.";

async function setUp(t: TestContext, source = text) {
  const sandbox: TestSandbox = await startTestSandbox({ speechProgram: null });
  t.after(() => sandbox.close());
  const folder = await mkdtemp(join(tmpdir(), "speech-"));
  t.after(() => rm(folder, { recursive: true }));
  // The sandbox makes minutes of sound on a processor that other tests use, too.
  const timeouts = { headersMs: 300_000, idleMs: 300_000 };
  const { api } = clientOf(t, sandbox.baseUrl, { apiKey: async () => sandbox.apiKey, timeouts });
  const { data } = await api.models.list({ type: "tts" });
  const model = firstModel(data);
  assert.ok(model);
  const store = new SoundStore({ folder });
  const paid: string[] = [];
  const client = async () => ({
    api,
    root: apiRoot(sandbox.baseUrl),
    connection: { kind: "sandbox" } as const,
  });
  const sounds = new Sounds({ client, store, onPaid: ({ input }) => paid.push(input) });
  const sentences = toSentences(toPlainBlocks(source));
  const posted: ToPlayer[] = [];
  const failures: unknown[] = [];
  const choice = { ...firstChoice(model) };
  const open = (post = (message: ToPlayer) => void posted.push(message)) =>
    new Reading({
      id: "reading",
      sentences,
      sounds,
      toRequest: (input) => toSpeechRequest(input, choice, model),
      streams: ({ response_format }) => response_format === "mp3",
      post,
      onFailure: (error) => failures.push(error),
    });
  const spoken = () => sandbox.requests.filter(({ path }) => path.endsWith("/audio/speech")).length;
  return { sandbox, folder, model, choice, open, sounds, store, sentences, posted, failures, paid, spoken };
}

test("requests MP3, the format of the first model", async (t) => {
  const { model, choice } = await setUp(t);
  assert.equal(model.id, "narrator");
  assert.deepEqual([choice.format, choice.voice], ["mp3", "dora"]);
  assert.deepEqual([model.style, model.temperature, model.topP], ["yes", "yes", "no"]);
  assert.equal(model.usdPerMillion, 6);
});

test("a language of one letter is refused by name, and nothing is sent", async (t) => {
  const { open, choice, failures, spoken } = await setUp(t);
  choice.language = "e";
  await open().want(0, []);
  assert.match(String(failures[0]), /language: .*\(has 1 characters\)/);
  assert.equal(spoken(), 0);
});

test("requests the current sentence and the next one only", async (t) => {
  const { open, sentences, paid, posted } = await setUp(t);
  const reading = open();
  await reading.want(0, []);
  assert.deepEqual(paid, [sentences[0]?.text, sentences[1]?.text]);
  await reading.want(1, [0, 1]);
  assert.deepEqual(
    paid,
    [0, 1, 2].map((index) => sentences[index]?.text),
  );
  await reading.want(4, [0, 1, 2]);
  assert.deepEqual(
    paid,
    [0, 1, 2, 4].map((index) => sentences[index]?.text),
  );
  const clips = posted.filter((message) => message.type === "clip");
  assert.deepEqual(
    clips.map(({ first, last, streams }) => [first, last, streams]),
    [0, 1, 2, 4].map((index) => [index, index, true]),
  );
  const pieces = posted.filter((message) => message.type === "piece");
  assert.ok(pieces.every(({ bytes }) => bytes.length > 0) && pieces.length >= 4);
});

test("cancels skipped sentences before their answer begins; replaying is free", async (t) => {
  const { open, paid, sentences, spoken } = await setUp(t);
  const reading = open();
  const first = reading.want(0, []);
  const last = reading.want(4, []);
  await Promise.all([first, last]);
  assert.ok(!paid.includes(sentences[1]?.text ?? ""), paid.join());
  assert.ok(paid.includes(sentences[4]?.text ?? ""));
  const before = spoken();
  await open().want(4, []);
  assert.equal(spoken(), before);
});

test("uses another voice from the next sentence on", async (t) => {
  const { open, choice, paid, posted } = await setUp(t);
  const reading = open();
  await reading.want(0, []);
  choice.voice = "emil";
  reading.changed();
  assert.deepEqual(posted.at(-1), { v: 1, type: "forget", reading: "reading", after: 0 });
  await reading.want(1, [0]);
  assert.equal(paid.length, 4);
});

test("saves the unheard rest in as few requests as possible, and replays it as one file", async (t) => {
  const { open, paid, sentences, posted, sounds, spoken } = await setUp(t);
  const reading = open();
  await reading.want(0, []);
  assert.deepEqual(await reading.missing(), [{ first: 2, last: 4 }]);
  const parts = await reading.collect(new AbortController().signal, () => {});
  assert.equal(parts.length, 3);
  assert.equal(paid.length, 3);
  assert.equal(paid[2], `${sentences[2]?.text} ${sentences[3]?.text}\n\n${sentences[4]?.text}`);
  const before = spoken();
  await reading.want(3, []);
  assert.equal(spoken(), before);
  const clip = posted.findLast((message) => message.type === "clip");
  assert.deepEqual([clip?.first, clip?.last], [2, 4]);
  assert.ok(
    await sounds.isStored({ input: paid[0] ?? "", model: "narrator", response_format: "mp3", voice: "dora" }),
  );
});

test("saves a text in requests of at most 4,096 characters", async (t) => {
  const source = Array.from(
    { length: 120 },
    (_, index) => `This is sentence number ${index} of a long text.`,
  ).join(" ");
  const { open, paid } = await setUp(t, source);
  const parts = await open().collect(new AbortController().signal, () => {});
  assert.equal(parts.length, 2);
  assert.ok(paid.every((input) => input.length <= 4096));
  // They run at once, so they may be paid in another order.
  assert.equal(paid.sort((a, b) => source.indexOf(a) - source.indexOf(b)).join(" "), source);
});

test("reports a failure once, and retries only on request", async (t) => {
  const { open, choice, failures, spoken, posted } = await setUp(t);
  choice.voice = "nobody";
  const reading = open();
  await reading.want(0, []);
  assert.equal(failures.length, 1);
  assert.equal(spoken(), 1);
  assert.equal(posted.at(-1)?.type, "clipFailed");
  choice.voice = "dora";
  await reading.want(0, []);
  assert.equal(failures.length, 1);
  assert.equal(spoken(), 3);
});

test("the player gets PCM with a header, which the cache omits; a saved WAV file has its length", async (t) => {
  const { open, choice, posted, store, folder, sounds } = await setUp(t);
  choice.format = "pcm";
  await open().want(4, []);
  const piece = posted.find((message) => message.type === "piece");
  assert.ok(piece && readWav(piece.bytes));
  choice.format = "wav";
  const { whole } = sounds.ask(
    { input: "A streamed one.", model: "narrator", response_format: "wav" },
    { streaming: true },
  );
  const { bytes } = await whole;
  assert.equal(Buffer.from(bytes).readUInt32LE(4), bytes.length - 8);
  assert.deepEqual((await readdir(folder)).map((name) => name.split(".")[1]).sort(), ["pcm", "wav"]);
  assert.equal(await store.get("0".repeat(40)), undefined);
});

test("evicts the least recently used audio", async (t) => {
  const { folder } = await setUp(t);
  const store = new SoundStore({ folder, maxBytes: 250 });
  const key = (digit: string) => digit.repeat(40);
  for (const digit of "123") {
    await store.put(key(digit), { format: "mp3", bytes: new Uint8Array(100) });
    if (digit < "3") await utimes(join(folder, `${key(digit)}.mp3`), Number(digit), Number(digit));
  }
  assert.equal(await store.has(key("1")), false);
  assert.equal((await store.get(key("3")))?.bytes.length, 100);
});

test("stores a reading with its position, and keeps a damaged file", async (t) => {
  const { folder, choice, sentences } = await setUp(t);
  const readings = createReadingStore(join(folder, "readings"));
  const id = newReadingId(1_790_000_000_000);
  const stored = { v: 1 as const, id, atMs: 1, title: "a.md", sentences, passages: [], choice, index: 2 };
  await readings.put(stored);
  assert.deepEqual(await readings.list(), [stored]);
});

test("audio of the sandbox is not paid again after its port has changed; another service has its own", async (t) => {
  const first = await setUp(t);
  const request = toSpeechRequest("The same words.", first.choice, first.model);
  await first.sounds.ask(request, { streaming: false }).whole;
  const later = await startTestSandbox({ speechProgram: null });
  t.after(() => later.close());
  const { api } = clientOf(t, later.baseUrl, { apiKey: async () => later.apiKey });
  const soundsOf = (kind: "sandbox" | "live") =>
    new Sounds({
      client: async () => ({ api, root: apiRoot(later.baseUrl), connection: { kind } }),
      store: first.store,
      onPaid: () => {},
    });
  assert.equal(await soundsOf("sandbox").isStored(request), true);
  assert.equal(await soundsOf("live").isStored(request), false);
});

test("a voice that the service does not have fails with that voice, and another one is read on", async (t) => {
  const { open, choice, model, failures, posted } = await setUp(t);
  choice.voice = "voice_gone";
  const reading = open();
  await reading.want(0, []);
  assert.equal(isVoiceRefusal(failures[0], "voice_gone"), true);
  choice.voice = otherVoice(model, "voice_gone");
  reading.changed();
  await reading.want(0, []);
  assert.equal(failures.length, 1);
  assert.ok(posted.some(({ type }) => type === "clipEnd"));
});

/** Five requests: each paragraph is nearly as long as one may be. */
const longText = Array.from(
  { length: 5 },
  (_, part) => `Part ${part} ${"goes on and ".repeat(320)}ends.`,
).join("\n\n");

test("a long text is saved by four requests at once, and goes on where it was stopped", async (t) => {
  const { open, sounds, spoken, paid, choice } = await setUp(t, longText);
  // Minutes of sound are made without encoding them.
  choice.format = "pcm";
  let running = 0;
  let atOnce = 0;
  const ask = sounds.ask.bind(sounds);
  t.mock.method(sounds, "ask", (...args: Parameters<typeof ask>) => {
    const pending = ask(...args);
    running += 1;
    atOnce = Math.max(atOnce, running);
    const end = () => {
      running -= 1;
    };
    pending.whole.then(end, end);
    return pending;
  });
  const reading = open();
  const stopping = new AbortController();
  const reports: number[] = [];
  await assert.rejects(
    reading.collect(stopping.signal, (done, all) => {
      assert.equal(all, 5);
      reports.push(done);
      if (done === 1) stopping.abort();
    }),
    { kind: "cancelled" },
  );
  assert.equal(atOnce, 4);
  assert.equal(running, 0, "nothing goes on in the background");
  assert.deepEqual(reports.slice(0, 2), [0, 1]);
  const left = await reading.missing();
  assert.equal(left.length, 5 - paid.length);
  assert.ok(left.length >= 1 && left.length <= 4);
  const before = spoken();
  const parts = await reading.collect(new AbortController().signal, () => {});
  assert.equal(parts.length, 5);
  assert.equal(spoken() - before, left.length);
  assert.equal(new Set(paid).size, 5);
});
