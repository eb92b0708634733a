// A conversation of 2,000 turns: from the click that opens it to its end on the screen, then read through to its first
// turn. The packed extension in a real workbench, with an extension host and a page in processes of their own.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { FrameLocator } from "playwright-core";
import { toLogText } from "../../../src/chat/host/history/log/compactLog.ts";
import { applyEntry, emptyLogState } from "../../../src/chat/host/history/log/logState.ts";
import { createRandom } from "../../../src/sandbox/state/ids.ts";
import { blockOf } from "../../serviceKit/longBlocks.ts";
import { startTestSandbox } from "../../serviceKit/testSandbox.ts";
import { openWorkbench, type Workbench } from "../../ui/workbench.ts";
import { atMost, type Benchmark, median } from "../figure.ts";
import { giveOwnProcess } from "../ownProcess.ts";

/** The page's own. */
declare const MutationObserver: new (
  changed: () => void,
) => { observe(target: unknown, what: object): void; disconnect(): void };
declare const requestAnimationFrame: (draw: () => void) => void;

const turns = 2000;
const rounds = 5;
const title = "A very long talk";
const other = "A short talk";
const megabyte = 1_000_000;
/** Time limit for loading earlier turns (ms). */
const mostStillMs = 20_000;

export const benchmark: Benchmark = {
  name: "chat-open",
  needsPackage: true,
  async run() {
    const service = await startTestSandbox({ apiKey: "bench-chat-open", limits: "none" });
    const workbench = await openWorkbench(
      "chat-open",
      {},
      { INFERENCE_API_KEY: service.apiKey, INFERENCE_BASE_URL: service.baseUrl },
    );
    let own: { close(): void } | undefined;
    try {
      seed(workbench);
      own = await giveOwnProcess(workbench);
      await workbench.openSideBar();
      const chat = workbench.webview();
      await chat.getByRole("textbox", { name: "Your question" }).waitFor();
      const opened: number[] = [];
      for (let round = 0; round < rounds; round++) {
        await open(workbench, chat, other);
        opened.push(await open(workbench, chat, title));
      }
      const before = await rendererBytes(workbench);
      const longestTaskMs = await longestTask(workbench, () => readThrough(chat));
      const after = await rendererBytes(workbench);
      const grownBytes = [...after].reduce(
        (sum, [id, bytes]) => sum + Math.max(0, bytes - (before.get(id) ?? 0)),
        0,
      );
      return {
        "chat-open": atMost(median(opened), "ms", 300),
        "chat-open.task": atMost(longestTaskMs, "ms", 50),
        "chat-open.memory": atMost(grownBytes / megabyte, "MB", 150),
      };
    } finally {
      await workbench.close();
      own?.close();
      await service.close();
    }
  },
};

/** Milliseconds from the click on a conversation in the list until its last turn has been painted. */
async function open(workbench: Workbench, chat: FrameLocator, name: string): Promise<number> {
  await workbench.runCommand("Inference Chat: Show History");
  const row = chat.locator(".history-row").filter({ hasText: name }).locator(".history-open");
  await row.waitFor();
  return row.evaluate(
    (button, end) =>
      new Promise<number>((resolve) => {
        const page = button.ownerDocument;
        const start = performance.now();
        const observer = new MutationObserver(() => {
          if (!page.querySelector(".turns")?.textContent?.includes(end)) return;
          observer.disconnect();
          // The second frame comes once the first one is on the screen.
          requestAnimationFrame(() => requestAnimationFrame(() => resolve(performance.now() - start)));
        });
        observer.observe(page.body, { childList: true, characterData: true, subtree: true });
        (button as unknown as { click(): void }).click();
      }),
    endOf(name),
  );
}

/**
 * Milliseconds that the longest task of a page had of its thread. By the clock it may take longer: on a few cores it
 * waits for those that draw the workbench and put it on the screen.
 */
async function longestTask({ page }: Workbench, work: () => Promise<void>): Promise<number> {
  const browser = page.context().browser();
  if (!browser) throw new Error("The page is of no browser.");
  await browser.startTracing(page, { categories: ["toplevel", "__metadata"] });
  await work();
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString()) as {
    readonly traceEvents: readonly TraceEvent[];
  };
  const threadOf = ({ pid, tid }: TraceEvent) => `${pid} ${tid}`;
  const drawing = new Set(
    traceEvents
      .filter(({ name, args }) => name === "thread_name" && args?.name === "CrRendererMain")
      .map(threadOf),
  );
  const tasks = traceEvents.filter(
    (event) => event.name === "ThreadControllerImpl::RunTask" && drawing.has(threadOf(event)),
  );
  if (tasks.length === 0) throw new Error("The trace knows no task of a page.");
  return Math.max(...tasks.map(({ tdur = 0 }) => tdur)) / 1000;
}

interface TraceEvent {
  readonly name: string;
  readonly pid: number;
  readonly tid: number;
  /** Microseconds that the thread worked. */
  readonly tdur?: number;
  readonly args?: { readonly name?: string };
}

/** Scrolls up, a screen at a time, until the first turn is there; fails where it gets no further or jumps. */
function readThrough(chat: FrameLocator): Promise<void> {
  return chat.locator(".scroller").evaluate(
    (scroller, [first, stillMs]) =>
      new Promise<void>((resolve, reject) => {
        let [left, movedAt] = ["", performance.now()];
        let frames = 0;
        const step = () => {
          const now = `${scroller.querySelector(".earlier")?.textContent} and ${scroller.scrollTop} pixels`;
          if (now !== left) [left, movedAt] = [now, performance.now()];
          if (performance.now() - movedAt > stillMs)
            return reject(new Error(`reading stands still at ${now}`));
          const isThere = scroller.scrollTop === 0 && !scroller.querySelector(".earlier");
          if (isThere && scroller.querySelector(".question")?.textContent?.startsWith(first)) {
            const screens = scroller.scrollHeight / scroller.clientHeight;
            return frames < screens - 1
              ? reject(new Error(`${frames} screens were read, and there are ${screens}`))
              : resolve();
          }
          frames++;
          scroller.scrollTop -= scroller.clientHeight;
          return requestAnimationFrame(step);
        };
        step();
      }),
    ["Question 0 of", mostStillMs] as const,
  );
}

/**
 * Resident memory of each renderer process of this browser: script, elements and pictures. Garbage is collected first,
 * because the time of the browser's own collections varies.
 */
async function rendererBytes({ page }: Workbench): Promise<ReadonlyMap<number, number>> {
  for (const target of [page, ...page.frames()]) {
    // Frames in the process of the page have no own session.
    const own = await page
      .context()
      .newCDPSession(target)
      .catch(() => undefined);
    await own?.send("HeapProfiler.collectGarbage");
    await own?.detach();
  }
  const browser = page.context().browser();
  const session = await browser?.newBrowserCDPSession();
  const { processInfo } = (await session?.send("SystemInfo.getProcessInfo")) ?? { processInfo: [] };
  await session?.detach();
  const renderers = processInfo.filter(({ type }) => type === "renderer");
  return new Map(renderers.map(({ id }) => [id, residentBytes(id)]));
}

/** Linux only, with memory pages of 4 KB. */
function residentBytes(pid: number): number {
  return Number(readFileSync(`/proc/${pid}/statm`, "utf8").split(" ")[1]) * 4096;
}

const endOf = (name: string) => `The end of ${name.toLowerCase()}.`;

function seed(workbench: Workbench): void {
  const folder = join(
    workbench.profile.userData,
    "User/globalStorage/inference-workbench.inference-workbench/chats",
  );
  mkdirSync(folder, { recursive: true });
  for (const [name, count] of [
    [title, turns],
    [other, 2],
  ] as const)
    writeFileSync(
      join(folder, `${name.toLowerCase().replaceAll(" ", "-")}.jsonl`),
      conversation(name, count),
    );
}

/** Questions and answers in turn; answers are prose, lists and code of about 1 KB. */
function conversation(name: string, count: number): string {
  const random = createRandom(7);
  const state = emptyLogState(name.toLowerCase().replaceAll(" ", "-"), Date.now());
  applyEntry(state, { e: "meta", meta: { title: name } });
  let parentId: string | null = null;
  for (let index = 0; index < count; index++) {
    const id = `m${index}`;
    const isLast = index === count - 1;
    const node =
      index % 2 === 0
        ? { id, parentId, role: "user", text: `Question ${index} of ${name}: how does this go on?` }
        : { id, parentId, ...answer(random, index), text: isLast ? endOf(name) : answer(random, index).text };
    applyEntry(state, { e: "node", t: Date.now(), node });
    parentId = id;
  }
  applyEntry(state, { e: "leaf", id: parentId });
  return toLogText(state);
}

function answer(random: ReturnType<typeof createRandom>, index: number) {
  const kinds = ["paragraph", "list", "code"] as const;
  return {
    role: "assistant",
    model: "guide",
    text: `## Answer ${index}\n\n${kinds.map((kind) => blockOf(kind, random, 0, 0)).join("\n\n")}`,
    reasoning: "",
    state: "done",
    startedAtMs: Date.now(),
    timing: { totalMs: 1200 },
  };
}
