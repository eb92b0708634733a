// The dashboard's section on the prompt cache: by conversation and task, with unknown as unknown.
import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import * as fc from "fast-check";
import { toCacheState } from "../../../../../src/account/host/cache/cacheState.ts";
import type {
  FromUsageView,
  ToUsageView,
  UsageState,
} from "../../../../../src/account/protocol/usageProtocol.ts";
import type { PromptCounts } from "../../../../../src/session/spend/promptCounts.ts";
import type { SpentEntry } from "../../../../../src/session/spend/spendLines.ts";
import { none } from "../../../../../src/shared/known.ts";
import { randomCases } from "../../../../runner/cases.ts";
import { results } from "../../../../tools/paths.ts";
import { openBrowser } from "../../../webview/browser.ts";
import { openPage } from "../../../webview/page.ts";
import { pageStyle } from "../../../webview/pageStyle.ts";
import { callAt, ledgerOf } from "../callLedgers.ts";
import { usd } from "../money.ts";

declare const dashboardPage: { start(): void; handle(message: ToUsageView): void };

const talk = "5a0c7e2e-2f7b-4f0e-9d83-0d1b5a1c9c11";
const inChat = (index: number, prompt: PromptCounts, more: Partial<SpentEntry> = {}) =>
  callAt(index, { source: { kind: "chat" }, prompt: { conversation: talk, ...prompt }, ...more });
const inTask = (index: number, round: number, prompt: PromptCounts) =>
  inChat(index, prompt, { source: { kind: "chat", task: "t-1", round } });

/** A conversation with a task that missed, one of VS Code's chat that hit, edits without counts, and an old line. */
const calls: readonly SpentEntry[] = [
  inTask(0, 2, { tokens: 40_000, cached: 0, missed: 39_000, lost: usd("0.0585") }),
  inTask(1, 1, { tokens: 39_500, cached: 39_000, missed: 0 }),
  inChat(
    2,
    { tokens: 20_000, cached: 0 },
    { model: "a-model-with-a-very-long-name-of-many-words-and-numbers-70b-instruct" },
  ),
  callAt(3, {
    source: { kind: "nativeChat", client: "publisher.name" },
    prompt: { tokens: 10_000, cached: 9900, missed: 0, conversation: "0123456789abcdef" },
  }),
  callAt(4, { source: { kind: "editor" }, prompt: { tokens: 3000 } }),
  callAt(5, { source: { kind: "chat" } }),
];

test("calls are grouped by conversation and task, with what was read, missed and lost; what loses most comes first", () => {
  const state = toCacheState(ledgerOf(calls));
  const rows = state?.groups.map(({ name, calls: count, hitRate, missedTokens, lost, chat }) => [
    ...[name, count, hitRate, missedTokens, lost, chat],
  ]);
  assert.deepEqual(rows, [
    ["Chat, since 2026-11-23 11:58", 3, "39 %", 39_000, "$0.059", talk],
    ["VS Code chat, since 2026-11-23 11:57", 1, "99 %", 0, "$0.00", undefined],
    ["Editor actions", 1, "", 0, "$0.00", undefined],
  ]);
  assert.deepEqual(
    state?.groups.map(({ tasks }) => tasks.map(({ name, promptTokens }) => [name, promptTokens])),
    [[["Task of 2026-11-23 11:59, 2 rounds", 79_500]], [], []],
  );
  assert.equal(state?.groups[0]?.models, "2 models");
  const { promptTokens, cachedTokens, unknownCalls, calls: count } = state?.total ?? assert.fail();
  assert.deepEqual([promptTokens, cachedTokens, unknownCalls, count], [109_500, 48_900, 1, 5]);
});

test("without counted prompts there is no section; a miss without a price bounds the loss from below", () => {
  assert.equal(toCacheState(ledgerOf([callAt(0)])), undefined);
  const unpriced = inChat(0, { tokens: 9000, cached: 0, missed: 8000 });
  const [group] = toCacheState(ledgerOf([unpriced, ...calls]))?.groups ?? [];
  assert.equal(group?.lost, "at least $0.059");
  const inPlay = toCacheState({ ...ledgerOf(calls), isPlayMoney: true });
  assert.equal(inPlay?.total.lost, "$0.059 play money");
});

test("the groups add up to the total, however many there are", () => {
  const count = fc.nat(100_000);
  const entry = fc
    .record({
      conversation: fc.option(fc.nat(120), { nil: undefined }),
      cached: fc.option(count),
      more: count,
      task: fc.nat(30),
    })
    .map(({ conversation, cached, more, task }) =>
      callAt(task, {
        source: { kind: "chat", task: `t-${task}`, round: 1 },
        prompt: {
          tokens: (cached ?? 0) + more,
          ...(cached === null ? {} : { cached }),
          ...(conversation === undefined ? {} : { conversation: `c-${conversation}` }),
        },
      }),
    );
  fc.assert(
    fc.property(fc.array(entry, { minLength: 1, maxLength: 300 }), (entries) => {
      const { total, groups } = toCacheState(ledgerOf(entries)) ?? assert.fail();
      for (const figure of ["calls", "unknownCalls", "promptTokens", "cachedTokens"] as const)
        assert.equal(
          groups.reduce((sum, group) => sum + group[figure], 0),
          total[figure],
          figure,
        );
      assert.ok(groups.length <= 51 && groups.every(({ tasks }) => tasks.length <= 20));
    }),
    { numRuns: randomCases(100) },
  );
});

const shown: UsageState = {
  ...{ service: "My service", connection: "c", from: "2026-11-01", to: "2026-11-23", lookback: 0 },
  ...{ groupBy: "model", currency: "USD", onlyCurrency: "", currencies: ["USD"], days: [], cards: [] },
  ...{
    series: none,
    models: none,
    keys: none,
    records: none,
    asOfMs: null,
    warning: "",
    analyticsStatus: "",
  },
  ...{ problem: "", needsAdmin: false },
};

test("the page shows the section, opens a conversation, and scrolls the table where it is narrow", async (t) => {
  const browser = await openBrowser();
  t.after(() => browser.close());
  for (const theme of ["dark", "light"] as const) {
    const { page, errors } = await openPage(
      browser,
      "dashboardPage.tsx",
      themes[theme] + pageStyle("dashboard"),
    );
    const sent: FromUsageView[] = [];
    const { promise: opened, resolve } = Promise.withResolvers<FromUsageView>();
    await page.exposeFunction("askHost", (message: FromUsageView) => {
      sent.push(message);
      if (message.type === "openChat") resolve(message);
    });
    await page.setViewportSize({ width: 900, height: 800 });
    await page.evaluate(() => dashboardPage.start());
    const tell = (message: ToUsageView) => page.evaluate((told) => dashboardPage.handle(told), message);
    await tell({ v: 1, type: "state", state: shown });
    await tell({ v: 1, type: "cache", state: toCacheState(ledgerOf(calls)) });
    const section = page.getByRole("region", { name: "Prompt cache", exact: true });
    await section.getByText("Of 109,500 prompt tokens 45 % were read from the cache.").waitFor();
    await section.getByText("39,000 that had been sent before were not: $0.059 more.").waitFor();
    await section.getByRole("button", { name: "Chat, since 2026-11-23 11:58" }).click();
    assert.deepEqual((await opened).body, { conversation: talk });
    mkdirSync(join(results, "unit"), { recursive: true });
    await section.screenshot({ path: join(results, "unit", `cache-${theme}.png`) });
    await page.setViewportSize({ width: 260, height: 900 });
    const { x = 0, width = 0 } = (await section.boundingBox()) ?? {};
    assert.ok(x + width <= 260, `the section ends at ${x + width}`);
    await section.screenshot({ path: join(results, "unit", `cache-${theme}-narrow.png`) });
    await tell({ v: 1, type: "cleared" });
    await section.waitFor({ state: "detached" });
    assert.deepEqual(
      errors.filter((error) => !error.includes("askHost")),
      [],
    );
  }
});

const colours = {
  dark: ["#ccc", "#1f1f1f", "#9d9d9d", "#4daafc"],
  light: ["#333", "#fff", "#6b6b6b", "#005fb8"],
} as const;

const themeOf = ([text, background, quiet, link]: readonly string[]) =>
  `:root{--vscode-foreground:${text};--vscode-editor-background:${background};--vscode-descriptionForeground:${quiet};--vscode-textLink-foreground:${link};--vscode-font-family:sans-serif;--vscode-font-size:13px}body{background:${background}}`;

const themes = { dark: themeOf(colours.dark), light: themeOf(colours.light) };
