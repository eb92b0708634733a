// Random calls of three agents in three formats, whose windows and agents are killed in mid-call: what the service bills stays
// within the caps, and the ledger has all of it.
import assert from "node:assert/strict";
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { request as sendHttp } from "node:http";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import fc from "fast-check";
import { ClientBook, type StoredClient } from "../../../../src/gateway/clients/clientBook.ts";
import { SessionBook } from "../../../../src/gateway/server/sessionBook.ts";
import { nothing } from "../../../../src/shared/money/amounts.ts";
import { Counted } from "../../../../src/shared/money/budgetRule.ts";
import { exactText, toExact } from "../../../../src/shared/money/exact.ts";
import { randomCases } from "../../../runner/cases.ts";
import { startTestSandbox, type TestSandbox } from "../../../serviceKit/testSandbox.ts";
import { connection, openWindow } from "../../session/budgetWindow.ts";
import { temporaryFolder } from "../../temporaryFolder.ts";
import { noBudgets } from "../gatewayKit.ts";
import { freePort, killAll, pidsIn } from "./addressKit.ts";
import type { ServingWindow } from "./servingWindow.ts";

const script = join(import.meta.dirname, "servingWindow.ts");
const atOnce = 9;
/** Calls of one sandbox and ledger. */
const perRound = 200;
/** In every other round, each call with this place kills a window when its answer begins. */
const everyKill = 20;
const sessionCapUsd = 0.0006;
/** Of a call that a cap refuses; the first one is that of the Responses route. */
const capStatuses = [400, 402];
/** Less than the sessions of a folder may cost together. */
const folderCapUsd = 0.0012;
const sessions = ["one", "two", "three"] as const;
const folders = ["app", "lib"].map((name) => ({ uri: `file:///${name}`, name }));

const callSpec = fc.record({
  agent: fc.constantFrom(0, 1, 2),
  session: fc.constantFrom(...sessions),
  folder: fc.constantFrom(0, 1),
  isStreamed: fc.boolean(),
  words: fc.integer({ min: 1, max: 200 }),
  /** The agent is gone when its answer begins. */
  leaves: fc.constantFrom(true, false, false, false),
});
type CallSpec = typeof callSpec extends fc.Arbitrary<infer Spec> ? Spec : never;

const formats = [
  {
    name: "Codex",
    path: "/v1/responses",
    body: (text: string) => ({ input: text, max_output_tokens: 2000 }),
  },
  {
    name: "Claude Code",
    path: "/v1/messages",
    body: (text: string) => ({ messages: [{ role: "user", content: text }], max_tokens: 2000 }),
  },
  {
    name: "OpenCode",
    path: "/v1/chat/completions",
    body: (text: string) => ({
      messages: [{ role: "user", content: text }],
      max_completion_tokens: 2000,
    }),
  },
] as const;

/** Two windows, each replaced by another one when it is killed. */
class Windows {
  readonly #options: ServingWindow;
  readonly #open: ChildProcess[] = [];
  readonly failures: string[] = [];
  killed = 0;

  constructor(options: ServingWindow) {
    this.#options = options;
  }

  async open(place: number): Promise<void> {
    const child = fork(script, [JSON.stringify(this.#options)], { execArgv: ["--no-warnings"] });
    this.#open[place] = child;
    const [{ failed }] = await once(child, "message");
    if (failed) this.failures.push(failed);
  }

  async kill(place: number): Promise<void> {
    this.killed += 1;
    this.#open[place]?.kill("SIGKILL");
    await this.open(place);
  }

  end(): void {
    for (const child of this.#open) child.kill("SIGKILL");
  }
}

interface Round {
  readonly sandbox: TestSandbox;
  readonly windows: Windows;
  /** `tokens`: one for each folder. */
  readonly agents: readonly { readonly client: StoredClient; readonly tokens: readonly string[] }[];
  readonly port: number;
  readonly ledger: string;
}

async function openRound(t: TestContext): Promise<Round> {
  const sandbox = await startTestSandbox({ tokensPerSecond: 4000, limits: "none" });
  t.after(() => sandbox.close());
  const [ledger, clients, address] = [temporaryFolder(), temporaryFolder(), temporaryFolder()];
  const book = new ClientBook({ folder: clients, now: Date.now });
  const agents = [];
  for (const { name } of formats) {
    const client = await book.add(name);
    await book.setLimits(client.id, { sessionCapUsd, dayCapUsd: null, folderCapUsd });
    const tokens = [];
    for (const folder of folders) tokens.push(await book.tokenIn(client.id, folder));
    agents.push({ client, tokens });
  }
  const port = await freePort();
  const { baseUrl, apiKey } = sandbox;
  const windows = new Windows({ baseUrl, apiKey, ledger, clients, address, port });
  t.after(() => {
    windows.end();
    killAll(pidsIn(address));
  });
  await windows.open(0);
  await windows.open(1);
  return { sandbox, windows, agents, port, ledger };
}

/** The status of a call; undefined if its agent has left. */
function call(
  { port, agents }: Round,
  { agent, session, folder, isStreamed, words, leaves }: CallSpec,
  onBegin: () => void,
): Promise<number | undefined> {
  const { path, body } = formats[agent] ?? formats[0];
  const text = JSON.stringify({ model: "echo", stream: isStreamed, ...body("word ".repeat(words)) });
  return new Promise((resolve, reject) => {
    const sent = sendHttp({
      host: "127.0.0.1",
      port,
      path,
      method: "POST",
      headers: {
        authorization: `Bearer ${agents[agent]?.tokens[folder]}`,
        "content-type": "application/json",
        session_id: session,
      },
    });
    sent.on("response", (answer) => {
      onBegin();
      answer.on("error", () => resolve(answer.statusCode));
      answer.on("close", () => resolve(answer.statusCode));
      if (!leaves) return answer.resume();
      sent.destroy();
      return resolve(undefined);
    });
    sent.on("error", reject);
    sent.end(text);
  });
}

async function runCalls(
  round: Round,
  calls: readonly CallSpec[],
  kills: boolean,
): Promise<Map<number | undefined, number>> {
  const { windows } = round;
  const outcomes = new Map<number | undefined, number>();
  const left = [...calls.entries()];
  const killed: Promise<void>[] = [];
  const runOne = async () => {
    for (let next = left.shift(); next; next = left.shift()) {
      const [place, spec] = next;
      const isFatal = kills && place % everyKill === everyKill / 2;
      const status = await call(round, spec, () => {
        if (isFatal) killed.push(windows.kill(killed.length % 2));
      });
      outcomes.set(status, (outcomes.get(status) ?? 0) + 1);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, runOne));
  await Promise.all(killed);
  return outcomes;
}

/** What the service charged for all calls. */
async function billOf({ sandbox }: Round): Promise<Counted> {
  const { api } = openWindow({ ...sandbox, folder: temporaryFolder(), budgets: noBudgets });
  let sum = 0n;
  for (let page = 1; ; page++) {
    const { data } = await api.billing.usage({ limit: 500, page });
    sum = data.reduce((all, { amount }) => all - toExact(amount), sum);
    if (data.length < 500) return Counted.parse(exactText(sum));
  }
}

test("random calls of three agents cost at most their caps, whoever is killed, and the ledger has all of it", async (t) => {
  // The few are of two rounds.
  const total = Math.max(randomCases(1000), perRound + 50);
  const seen = { refused: 0, cut: 0, killed: 0 };
  for (let done = 0; done < total; done += perRound) {
    const round = await openRound(t);
    const calls = fc.sample(callSpec, { numRuns: Math.min(perRound, total - done), seed: done + 1 });
    const outcomes = await runCalls(round, calls, (done / perRound) % 2 === 0);
    assert.deepEqual(round.windows.failures, []);
    for (const status of outcomes.keys())
      assert.ok([undefined, 200, ...capStatuses, 502].includes(status), String(status));
    round.windows.end();
    for (const { ended } of round.sandbox.requests) await ended;
    await checkMoney(round);
    for (const status of capStatuses) seen.refused += outcomes.get(status) ?? 0;
    seen.cut += outcomes.get(502) ?? 0;
    seen.killed += round.windows.killed;
  }
  assert.ok(seen.refused > 0 && seen.killed > 0, JSON.stringify(seen));
});

const digits = (sum: Counted) => sum.in("USD").digits();

async function checkMoney(round: Round): Promise<void> {
  const reader = openWindow({ ...round.sandbox, folder: round.ledger, budgets: noBudgets });
  const names = new SessionBook(Date.now);
  const cap = Counted.parse(sessionCapUsd);
  let [spent, reserved] = [Counted.zero, Counted.zero];
  for (const { client } of round.agents)
    for (const [folder, session] of folders.flatMap((one) => sessions.map((name) => [one, name] as const))) {
      const known = { id: client.id, name: client.name, isPrivateOnly: false, sessionCapUsd, folder };
      const { id } = names.of(known, { session_id: session }, undefined);
      const task = { id, round: 1, capUsd: sessionCapUsd };
      const sums = await reader.spend.taskSpend(connection, task);
      const own = Counted.of(sums.spent);
      // A window that is killed before it has judged what it reserved leaves that reserved, though the call was never sent.
      const counted = round.windows.killed > 0 ? own : own.plus(sums.claimed);
      assert.ok(!counted.exceeds(cap), `${client.name} ${folder.name} ${session}: ${digits(counted)}`);
      spent = spent.plus(own);
      reserved = reserved.plus(sums.claimed);
    }
  const perFolder = Counted.parse(folderCapUsd);
  const entries = await reader.spend.entries(connection);
  for (const [id, calls] of Map.groupBy(entries, ({ source, folder }) => `${source?.client} ${folder}`)) {
    const sum = Counted.zero.plusAll(calls.map(({ cost }) => Counted.of(cost ?? nothing)));
    assert.ok(!sum.exceeds(perFolder), `${id}: ${digits(sum)}`);
    assert.match(id, /(app|lib)$/);
  }
  const bill = await billOf(round);
  const caps = perFolder.scaled(round.agents.length * folders.length);
  assert.ok(!bill.exceeds(caps), `the bill is ${digits(bill)}`);
  assert.ok(!spent.exceeds(bill), `the ledger has ${digits(spent)}, the bill ${digits(bill)}`);
  assert.ok(!bill.exceeds(spent.plus(reserved)), `the bill is ${digits(bill)}`);
}
