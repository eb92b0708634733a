// Alerts to a real program and a real HTTP server: after consent, once per period in all windows, without a key.
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import type { Alert } from "../../../../../src/account/host/alerts/alert.ts";
import { AlertMarks } from "../../../../../src/account/host/alerts/alertMarks.ts";
import { alertTargets, sendAlert } from "../../../../../src/account/host/alerts/sendAlert.ts";
import { createHostTransport } from "../../../../../src/api/transport/host.ts";
import type { Connection } from "../../../../../src/session/connection/connection.ts";
import type { SpendTotals } from "../../../../../src/session/spend/spendBook.ts";
import { settings } from "../../../../../src/shared/names/ids.ts";
import { dayMs } from "../../../../../src/shared/time/days.ts";
import { configurationOf } from "../../../configurationDouble.ts";
import { openConsents } from "../../../session/openConsents.ts";
import { replace } from "../../../vscodeDouble.ts";
import { noTotals, usd } from "../money.ts";

const { Alerts } = await import("../../../../../src/account/host/alerts/alerts.ts");
const { balanceAlert, testAlert } = await import("../../../../../src/account/host/alerts/alert.ts");
const { monthForecast } = await import("../../../../../src/account/host/alerts/monthForecast.ts");

const nowMs = Date.parse("2026-11-20T12:00:00Z");
const live: Connection = {
  id: "c-1",
  name: "Live",
  kind: "live",
  baseUrl: "https://api.example.com/api/v1",
  dialect: "auto",
};

function folderOf(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), "alerts-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A server that keeps what it gets, and answers with a status. */
async function openServer(t: TestContext, status = 200) {
  const got: { readonly method: string; readonly headers: object; readonly body: string }[] = [];
  const server = createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on("data", (piece: Buffer) => pieces.push(piece));
    request.on("end", () => {
      const body = Buffer.concat(pieces).toString("utf8");
      got.push({ method: request.method ?? "", headers: request.headers, body });
      response.writeHead(status, { location: "http://127.0.0.1:1/elsewhere" }).end("{}");
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook/secret-token`, got };
}

/** A program that appends its input to a file, with the names of its environment. */
function programIn(folder: string): {
  readonly words: readonly [string, ...string[]];
  readonly lines: () => string[];
} {
  const [script, out] = [join(folder, "alert.mjs"), join(folder, "out.txt")];
  writeFileSync(out, "");
  writeFileSync(
    script,
    `import { appendFileSync } from "node:fs";
let text = "";
for await (const piece of process.stdin) text += piece;
if (process.argv[2] === "fail") process.exit(3);
appendFileSync(${JSON.stringify(out)}, text.trim() + "\\t" + ("INFERENCE_API_KEY" in process.env) + "\\n");
`,
  );
  return {
    words: [process.execPath, script],
    lines: () => readFileSync(out, "utf8").split("\n").filter(Boolean),
  };
}

interface Window {
  readonly spent: string;
  readonly user: Record<string, unknown>;
  readonly folder: string;
  readonly answers?: boolean[];
}

/** A window whose user presses the button, or closes the dialog. */
function windowOf(t: TestContext, { spent, user, folder, answers = [] }: Window) {
  const configuration = configurationOf(t, { user });
  const [dialogs, notices]: [string[], string[]] = [[], []];
  const show = async (message: string, options?: unknown, button?: string) => {
    if (typeof options !== "object") return void notices.push(message);
    dialogs.push(message);
    return answers.shift() ? button : undefined;
  };
  replace("window", { showWarningMessage: show, showInformationMessage: show }, t);
  const sums = { totals: { ...noTotals, month: usd(spent), today: usd(spent) } as SpendTotals };
  const session = { spend: async () => ({ totals: async () => sums.totals, scopes: async () => [] }) };
  const deps = {
    session,
    consents: openConsents(),
    marks: new AlertMarks(folder, () => nowMs),
    log: { warn() {}, error() {} },
    now: () => nowMs,
  };
  const alerts = new Alerts(deps as unknown as ConstructorParameters<typeof Alerts>[0]);
  const setSpent = (amount: string) => {
    sums.totals = { ...sums.totals, month: usd(amount) };
  };
  return { alerts, dialogs, notices, setSpent, user: configuration.user, consents: deps.consents };
}

const parsed = (text: string) => JSON.parse(text) as Alert;

test("a server gets each level of a budget once, by one of two windows, after consent, and no key", async (t) => {
  const [folder, { url, got }] = [folderOf(t), await openServer(t)];
  const user = { [settings.accountAlertAddress]: url, [settings.accountMonthBudgetUsd]: 10 };
  const first = windowOf(t, { spent: "7", user, folder, answers: [true] });
  const second = new Alerts({
    ...({
      session: {
        spend: async () => ({
          totals: async () => ({ ...noTotals, month: usd("8.5") }),
          scopes: async () => [],
        }),
      },
    } as object),
    consents: first.consents,
    marks: new AlertMarks(folder, () => nowMs),
    log: { warn() {}, error() {} },
    now: () => nowMs,
  } as unknown as ConstructorParameters<typeof Alerts>[0]);
  await first.alerts.spent(live);
  assert.deepEqual([got.length, first.dialogs], [0, []], "70 % is no alert");
  first.setSpent("8.5");
  await Promise.all([first.alerts.spent(live), second.spent(live)]);
  await first.alerts.spent(live);
  assert.equal(got.length, 1);
  assert.match(first.dialogs.join(), /^Send alerts about money to http:\/\/127\.0\.0\.1:\d+\?$/);
  const [{ method = "", headers = {}, body = "" } = {}] = got;
  assert.deepEqual(
    [method, (headers as Record<string, string>)["content-type"], "authorization" in headers],
    ["POST", "application/json", false],
  );
  assert.deepEqual(parsed(body), {
    version: 1,
    kind: "budget",
    connection: "Live",
    isPlayMoney: false,
    period: "2026-11",
    time: "2026-11-20T12:00:00.000Z",
    level: 80,
    budget: "month",
    spent: { USD: "8.5" },
    isComplete: false,
    counted: "8.5",
    limit: "10",
    currency: "USD",
  });
  first.setSpent("11");
  await first.alerts.spent(live);
  await first.alerts.spent(live);
  assert.deepEqual(
    got.map((one) => parsed(one.body).level),
    [80, 100],
  );
  assert.equal(first.dialogs.length, 1, "asked once");
});

test("a program gets one line of JSON without a shell and without the key; refused, it does not run", async (t) => {
  const folder = folderOf(t);
  const { words, lines } = programIn(folder);
  process.env.INFERENCE_API_KEY = "secret-canary";
  t.after(() => {
    delete process.env.INFERENCE_API_KEY;
  });
  const command = [...words, "$(touch /tmp/never); echo"];
  const user = { [settings.accountAlertCommand]: command, [settings.accountDayBudgetUsd]: 1 };
  const refused = windowOf(t, { spent: "0.9", user, folder: join(folder, "a"), answers: [false] });
  await refused.alerts.spent(live);
  refused.setSpent("2");
  await refused.alerts.spent(live);
  assert.deepEqual([lines(), refused.dialogs.length], [[], 1]);
  const { alerts, notices } = windowOf(t, { spent: "0.9", user, folder: join(folder, "b"), answers: [true] });
  await alerts.spent(live);
  const [line = "", ...others] = lines();
  assert.deepEqual(others, []);
  const [json = "", hasKey] = line.split("\t");
  assert.equal(hasKey, "false");
  assert.deepEqual(
    [parsed(json).kind, parsed(json).budget, parsed(json).period],
    ["budget", "day", "2026-11-20"],
  );
  assert.deepEqual(notices, []);
});

test("a failure is said once, without the address's path, and is not sent again; a test alert is", async (t) => {
  const [folder, { url, got }] = [folderOf(t), await openServer(t, 500)];
  const user = { [settings.accountAlertAddress]: url, [settings.accountMonthBudgetUsd]: 10 };
  const { alerts, notices, setSpent } = windowOf(t, { spent: "9", user, folder, answers: [true] });
  await alerts.spent(live);
  setSpent("12");
  await alerts.spent(live);
  await alerts.spent(live);
  assert.equal(got.length, 2, "two alerts, each once");
  assert.equal(notices.length, 1);
  assert.match(notices[0] ?? "", /^An alert was not taken by http:\/\/127\.0\.0\.1:\d+: it answered 500\.$/);
  await alerts.test(live);
  assert.equal(parsed(got[2]?.body ?? "").kind, "test");
  assert.equal(notices.length, 2);
});

test("each problem of a target has its words, in a bounded time", async (t) => {
  const folder = folderOf(t);
  const { words } = programIn(folder);
  const alert = testAlert(live, nowMs);
  const send = (command: readonly string[], address = "", timeoutMs = 10_000) => {
    const [target] = alertTargets(command, address);
    if (!target || !("is" in target)) return target?.problem;
    return sendAlert(target, alert, createHostTransport(), timeoutMs);
  };
  assert.equal(await send([...words, "fail"]), "it ended with exit code 3");
  assert.equal(await send([join(folder, "nowhere")]), "it was not found");
  assert.match(
    (await send([process.execPath, "-e", "setInterval(() => {}, 1000)"], "", 1)) ?? "",
    /^it did not end within/,
  );
  const { url, got } = await openServer(t, 302);
  assert.equal(await send([], url), "it answered 302", "a redirection is not followed");
  assert.equal(got.length, 1);
  assert.match((await send([], "http://127.0.0.1:1/x")) ?? "", /^it can't be reached/);
  for (const bad of ["http://alerts.example.com/x", "ftp://localhost", "localhost", "https://a:b@c.example"])
    assert.match((await send([], bad)) ?? "", /^it (is|must)/, bad);
});

test("a forecast passes the budget of the month once there are enough days; a used-up budget has its own alert", () => {
  const today = Math.floor(nowMs / dayMs);
  const usage = (perDay: string) => {
    const range = { from: today - 19, to: today };
    const total = { spend: usd(perDay), usdValue: 0n, records: 1, tokens: 0, tokensUsdValue: 0n };
    const tallies = Array.from({ length: 20 }, (_, index) => ({
      day: range.from + index,
      total,
      models: new Map(),
    }));
    return { range, tallies } as unknown as Parameters<typeof monthForecast>[1];
  };
  const budgets = { dayUsd: undefined, monthUsd: 100, hardStop: false };
  assert.equal(monthForecast(live, usage("1"), budgets, nowMs), undefined);
  const due = monthForecast(live, usage("4"), budgets, nowMs);
  assert.deepEqual([due?.alert.kind, due?.alert.spent, due?.alert.limit], ["forecast", { USD: "80" }, "100"]);
  assert.ok(Number(due?.alert.expected) > 100);
  assert.equal(monthForecast(live, usage("9"), budgets, nowMs), undefined);
  const short = { ...usage("4"), range: { from: today - 5, to: today } };
  assert.equal(monthForecast(live, short, budgets, nowMs), undefined, "a part of the month says nothing");
});

test("an empty balance is one alert a day, and a subject is claimed by one of many windows", async (t) => {
  const folder = folderOf(t);
  const balance = {
    usd: undefined,
    diem: undefined,
    diemPerDay: undefined,
    canConsume: false,
    currency: "USD",
  };
  const { subject, alert } = balanceAlert(live, balance, nowMs);
  assert.deepEqual([alert.kind, alert.period, alert.balance], ["balance", "2026-11-20", {}]);
  const windows = Array.from({ length: 20 }, () => new AlertMarks(folder, () => nowMs));
  const claimed = await Promise.all(windows.map((marks) => marks.claim(subject)));
  assert.equal(claimed.filter(Boolean).length, 1);
  const next = balanceAlert(live, balance, nowMs + dayMs).subject;
  assert.equal(await new AlertMarks(folder, () => nowMs).claim(next), true);
});

test("a workspace can set neither program nor address", async (t) => {
  const folder = folderOf(t);
  const { url, got } = await openServer(t);
  const workspace = {
    [settings.accountAlertAddress]: url,
    [settings.accountAlertCommand]: programIn(folder).words,
  };
  const { alerts, dialogs } = windowOf(t, {
    spent: "9",
    user: { [settings.accountMonthBudgetUsd]: 1 },
    folder,
  });
  configurationOf(t, { user: { [settings.accountMonthBudgetUsd]: 1 }, workspace });
  await alerts.spent(live);
  assert.deepEqual([got, dialogs], [[], []]);
});
