// An agent of the Agent Client Protocol that does what FAKE_STEPS says, and then ends its turn.
import { writeFileSync } from "node:fs";
import { createInterface } from "node:readline";

const { start = {}, steps = [], isDeaf = false } = JSON.parse(process.env.FAKE_STEPS ?? "{}");
const sessionId = "s1";
const waiting = new Map();
let [nextId, promptId, model] = [0, undefined, "its own"];
const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
const update = (change, session = sessionId) =>
  send({ method: "session/update", params: { sessionId: session, update: change } });
const say = (text) => update({ sessionUpdate: "agent_message_chunk", content: { type: "text", text } });

const doing = {
  say,
  update,
  foreign: (change) => update(change, "another"),
  raw: (line) => process.stdout.write(`${line}\n`),
  error: (text) => process.stderr.write(text),
  file: ([path, text]) => writeFileSync(path, text),
  exit: (code) => process.exit(code),
  model: () => say(model),
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

async function prompt({ id, params }) {
  promptId = id;
  for (const step of steps)
    for (const [name, value] of Object.entries(step))
      await doing[name](value === "$prompt" ? JSON.stringify(params.prompt) : value);
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
