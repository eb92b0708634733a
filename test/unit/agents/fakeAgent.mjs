// An agent of the Agent Client Protocol that does what FAKE_STEPS says, and then ends its turn.
import { existsSync, rmSync, watch, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";

// With `turns`, each question has steps of its own.
const { start = {}, steps = [], turns = [], isDeaf = false } = JSON.parse(process.env.FAKE_STEPS ?? "{}");
const sessionId = "s1";
const waiting = new Map();
let [nextId, promptId, model, prompts] = [0, undefined, "its own", 0];
const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
const update = (change, session = sessionId) =>
  send({ method: "session/update", params: { sessionId: session, update: change } });
const say = (text) => update({ sessionUpdate: "agent_message_chunk", content: { type: "text", text } });

const own = (name) => join(process.cwd(), name);

const doing = {
  say,
  update,
  foreign: (change) => update(change, "another"),
  raw: (line) => process.stdout.write(`${line}\n`),
  error: (text) => process.stderr.write(text),
  // Files of its folder, by their names.
  ownFile: ([name, text]) => writeFileSync(own(name), text),
  removeOwn: (name) => rmSync(own(name)),
  readOwn: ([name, more = {}]) =>
    doing.ask({ method: "fs/read_text_file", params: { path: own(name), ...more } }),
  ownWrite: ([name, content]) =>
    doing.ask({ method: "fs/write_text_file", params: { path: own(name), content } }),
  /** Waits until a file beside its folder is there. */
  async untilFile(name) {
    const folder = join(process.cwd(), "..");
    await new Promise((resolve) => {
      const look = () => {
        if (!existsSync(join(folder, name))) return;
        watcher.close();
        resolve();
      };
      const watcher = watch(folder, look);
      look();
    });
  },
  file: ([path, text]) => writeFileSync(path, text),
  exit: (code) => process.exit(code),
  model: () => say(model),
  /** So many updates, whose titles end with their numbers. */
  many([count, change]) {
    for (let index = 0; index < count; index++) update({ ...change, title: `${change.title} ${index}` });
  },
  process: () => say(String(process.pid)),
  /** Ends the turn if this file is beside its folder, and makes it. */
  onceFile(name) {
    const path = join(process.cwd(), "..", name);
    if (existsSync(path)) throw new Error("over");
    writeFileSync(path, "");
  },
  /** Does not wait for the first one before the others. */
  both: (all) => Promise.all(all.map(perform)),
  variable: (name) => say(String(process.env[name])),
  /** A call of a model, as OpenCode is set up for it. Tells the answer, or the error. Other members are those of its body. */
  async call(asked) {
    const { question, ...others } = typeof asked === "string" ? { question: asked } : asked;
    const { provider } = JSON.parse(process.env.OPENCODE_CONFIG_CONTENT);
    const [{ options, models }] = Object.values(provider);
    const reply = await fetch(`${options.baseURL}/chat/completions`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        authorization: `Bearer ${process.env.INFERENCE_GATEWAY_TOKEN}`,
      },
      body: JSON.stringify({
        model: Object.keys(models)[0],
        messages: [{ role: "user", content: question }],
        ...others,
      }),
    });
    const { choices, error } = await reply.json();
    say(error ? `${reply.status} ${error.message}` : choices[0].message.content);
  },
  hang: () => new Promise(() => {}),
  async endless(change) {
    for (;;) {
      update(change);
      await new Promise((resolve) => process.stdout.write("", resolve));
    }
  },
  long: (bytes) => process.stdout.write("x".repeat(bytes)),
  /** Tells the answer as text. */
  async ask({ method, params }) {
    nextId += 1;
    const answer = new Promise((resolve) => waiting.set(nextId, resolve));
    send({ id: nextId, method, params: { sessionId, ...params } });
    const { result, error } = await answer;
    say(JSON.stringify(result ?? error.message));
  },
};

async function perform(step, params) {
  for (const [name, value] of Object.entries(step))
    await doing[name](value === "$prompt" ? JSON.stringify(params.prompt) : value);
}

async function prompt({ id, params }) {
  promptId = id;
  const now = turns[prompts] ?? steps;
  prompts += 1;
  try {
    for (const step of now) await perform(step, params);
  } catch (error) {
    if (error.message !== "over") throw error;
  }
  if (promptId === id) send({ id, result: { stopReason: "end_turn" } });
  promptId = undefined;
}

const answering = {
  initialize({ id }) {
    if (start.silent) return;
    if (start.exit !== undefined) {
      process.stderr.write("no licence\n");
      process.exit(start.exit);
    }
    const agentCapabilities = { promptCapabilities: { image: true } };
    send({ id, result: { protocolVersion: start.version ?? 1, agentCapabilities } });
  },
  "session/new"({ id }) {
    const refusal = { error: { code: -32000, message: start.error } };
    send({ id, ...(start.error ? refusal : { result: { sessionId } }) });
  },
  "session/set_model"({ id, params }) {
    model = params.modelId;
    send({ id, result: {} });
  },
  "session/prompt": (message) => void prompt(message),
  "session/cancel"() {
    if (isDeaf || promptId === undefined) return;
    send({ id: promptId, result: { stopReason: "cancelled" } });
    promptId = undefined;
  },
};

createInterface({ input: process.stdin }).on("line", (line) => {
  const message = JSON.parse(line);
  if (message.method === undefined) waiting.get(message.id)?.(message);
  else answering[message.method]?.(message);
});
