// Commands that ask for members of a request, run by a user who answers. They load after the editor's double.
import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import type { Account } from "../../../src/account/host/accountOf.ts";
import type { AccountTools } from "../../../src/account/host/keys/addAdmin.ts";
import type { Api } from "../../../src/api/call/client.ts";
import { dialects } from "../../../src/api/dialect/dialect.ts";
import type { Table } from "../../../src/api/table.ts";
import { commands } from "../../../src/shared/names/ids.ts";
import { connection } from "../account/host/accountRows.ts";
import { dataOf } from "./accountOfService.ts";
import { type Answers, answerDialogs } from "./answering.ts";
import { webDeps } from "./checks/webChecks.ts";
import { sampleOf } from "./sample.ts";
import { type Replies, type RowName, rows, serviceOf } from "./service.ts";

/** What a command showed, and the body of the last request that it sent. */
interface CommandRun {
  readonly shown: readonly string[];
  readonly body: unknown;
}

/** Runs a command. `step` is the item to choose of its first list, if it asks for one of several members. */
export type RunCommand = (t: TestContext, step: string) => Promise<CommandRun>;

/** The second item of a list, which is no default; of a box the first text that it takes. */
export const usualAnswers: Answers = (question, items) => {
  if (items.includes("Done")) return "Done";
  if (items.length > 0) return items[1] ?? "";
  if (/limit/i.test(question)) return "5";
  return /UTC/.test(question) ? "2099-01-01" : "word";
};

/** The account commands' view of a service. */
async function runAccount(
  api: Api<Table>,
  run: (account: Account, tools: AccountTools) => Promise<unknown>,
): Promise<void> {
  const account = { connection, admin: connection, data: dataOf(api) };
  const tools = {
    session: { clientOf: async () => ({ api, dialect: dialects.venice }) },
    memory: { addCreated: async () => {} },
    log: { error: (_: string, error: unknown) => assert.ifError(error) },
  };
  await run(account as unknown as Account, tools as unknown as AccountTools);
}

/** Runs a command over a service that has these replies. */
async function runWith(
  t: TestContext,
  replies: Replies,
  answers: Answers,
  run: (api: Api<Table>) => Promise<unknown>,
): Promise<CommandRun> {
  const { api, sent } = serviceOf(replies, { dialect: "venice" });
  const shown = answerDialogs(t, answers);
  await run(api);
  const body = sent.findLast(({ method }) => method !== "GET")?.body;
  return { shown: [...shown], body: JSON.parse(typeof body === "string" ? body : "null") };
}

export async function runCreateKey(api: Api<Table>): Promise<void> {
  const { createKey } = await import("../../../src/account/host/keys/createKey.ts");
  await runAccount(api, createKey);
}

const keyId = "12345678-90ab-cdef-1234-567890abcdef";
const key = { id: keyId, description: "word", apiKeyType: "INFERENCE", consumptionLimits: { vcu: 1 } };
const sample = (row: RowName) => ({ [row]: sampleOf(rows[row].output, () => undefined) });

export const commandRuns: Readonly<Partial<Record<string, RunCommand>>> = {
  [commands.accountCreateKey]: (t) =>
    runWith(t, { ...sample("keys.create"), "keys.list": { data: [] } }, usualAnswers, runCreateKey),
  [commands.accountEditKey]: (t, step) =>
    runWith(
      t,
      { "keys.list": { data: [key] }, "keys.read": { data: key }, "keys.update": { success: true } },
      (question, items) => (items.includes(step) ? step : usualAnswers(question, items)),
      async (api) => {
        const { updateKey } = await import("../../../src/account/host/keys/editKey.ts");
        await runAccount(api, (account, tools) => updateKey(account, key.id, tools));
      },
    ),
  [commands.accountShowKey]: async (t) => {
    const { api, sent } = serviceOf({ "keys.read": { data: key } });
    const shown = answerDialogs(t, () => keyId);
    const { showKeyById } = await import("../../../src/account/host/keys/lookUpKey.ts");
    await runAccount(api, (account) => showKeyById(account, async () => {}));
    const [, id] = /\/api_keys\/([^/]+)$/.exec(sent.at(-1)?.url ?? "") ?? [];
    return { shown: [...shown], body: { id } };
  },
  [commands.webSearch]: (t) =>
    runWith(
      t,
      sample("augment.search"),
      () => "foxes",
      async (api) => {
        const { chooseQuery, searchTheWeb } = await import("../../../src/web/search/webSearch.ts");
        const query = await chooseQuery(webDeps(api), "foxes");
        await searchTheWeb(webDeps(api), String(query));
      },
    ),
  [commands.webScrape]: (t) =>
    runWith(
      t,
      { "augment.scrape": { url: "https://one.example/", content: "words", format: "markdown" } },
      () => "https://one.example/",
      async (api) => {
        const { askUrls, pageBatch } = await import("../../../src/web/scrape/pageBatch.ts");
        const deps = webDeps(api);
        const { items, call } = await pageBatch(deps, (await askUrls(false)) ?? []);
        const client = () => deps.session.client({ kind: "web" });
        await call(items[0] ?? "", client, new AbortController().signal);
      },
    ),
};
