// Typing in a file with 500 pending hunks, and in the same file without them: the time from a key to the frame that shows
// it, and that of a save. The packed extension in a real workbench.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { environment } from "../../../src/shared/names/ids.ts";
import { startTestSandbox } from "../../serviceKit/testSandbox.ts";
import { openWorkbench, type Workbench } from "../../ui/workbench.ts";
import { atMost, atMostTimes, type Benchmark, pairOf } from "../figure.ts";

/** The page's own. */
declare const requestAnimationFrame: (draw: () => void) => void;
declare const document: {
  addEventListener(name: string, listener: (event: unknown) => void, isEarly: boolean): void;
};
declare const MessageChannel: new () => {
  readonly port1: { onmessage: () => void };
  readonly port2: { postMessage(message: null): void };
};

const hunks = 500;
const lines = 5_000;
const keys = 240;
const frameMs = 16.7;

export const benchmark: Benchmark = {
  name: "agent-typing",
  needsPackage: true,
  async run() {
    const service = await startTestSandbox({ apiKey: "bench-typing", tokensPerSecond: 5000 });
    // Each save is asked for.
    const settings = { "git.enabled": false, "files.autoSave": "off" };
    const env = { [environment.key]: service.apiKey, [environment.baseUrl]: service.baseUrl };
    const workbench = await openWorkbench("agent-typing", settings, env);
    try {
      const file = (name: string) => join(workbench.profile.workspace, name);
      const text = Array.from({ length: lines }, (_, line) => `const line${line} = "text of a line";\n`);
      for (const name of ["plain.txt", "hunks.txt"]) writeFileSync(file(name), text.join(""));
      const edits = Array.from({ length: hunks }, (_, index) => ({
        old_text: `const line${index * 10 + 5} =`,
        new_text: `const other${index * 10 + 5} =`,
      }));
      const calls = [0, 200, 400].map((from) => ({
        name: "edit_file",
        arguments: { path: "hunks.txt", edits: edits.slice(from, from + 200) },
      }));
      const steps = [...calls.map((call) => ({ calls: [call] })), { say: "Done." }];
      writeFileSync(file("edits.json"), JSON.stringify({ name: "Edits", steps }));
      await applyEdits(workbench);
      const plain: number[] = [];
      const pending: number[] = [];
      const plainSaves: number[] = [];
      const pendingSaves: number[] = [];
      for (let round = 0; round < 3; round++) {
        plain.push(...(await typeIn(workbench, "plain.txt")));
        plainSaves.push(...(await saveOften(workbench)));
        pending.push(...(await typeIn(workbench, "hunks.txt")));
        pendingSaves.push(...(await saveOften(workbench)));
      }
      const of = (all: number[], share: number) =>
        all.toSorted((a, b) => a - b)[Math.floor(share * (all.length - 1))] ?? 0;
      const ratio = of(pending, 0.95) / of(plain, 0.95);
      const [save, plainSave] = [of(pendingSaves, 0.5), of(plainSaves, 0.5)];
      return {
        // What the hunks add: on a busy machine the file without them alone takes more than a frame.
        "agent-typing": atMost(
          Math.max(0, of(pending, 0.95) - of(plain, 0.95)),
          "ms more at p95",
          frameMs,
          of(plain, 0.95),
          ratio,
        ),
        "agent-typing.save": atMostTimes(pairOf(save, plainSave), "ms", 1.5, "without hunks"),
      };
    } finally {
      await workbench.close();
      await service.close();
    }
  },
};

async function applyEdits(workbench: Workbench): Promise<void> {
  await workbench.openSideBar();
  const chat = workbench.webview();
  const prompt = chat.getByRole("textbox", { name: "Your question" });
  await prompt.waitFor();
  await chat.locator(".picker-button").click();
  await chat.getByRole("option", { name: "Scripted" }).first().click();
  await chat.getByRole("combobox", { name: "Mode" }).selectOption("Agent");
  await prompt.fill("Play edits.json");
  await prompt.press("Enter");
  await chat.getByRole("button", { name: `hunks.txt: ${hunks} lines added, ${hunks} removed` }).waitFor();
  await chat.locator('.answer[aria-busy="false"]').last().locator("footer").waitFor();
}

/** Milliseconds from each key to the end of the frame that shows it. Every eighth key is a line break. */
async function typeIn({ page, runCommand }: Workbench, name: string): Promise<number[]> {
  await runCommand("Go to File...");
  await page.keyboard.type(name);
  await page.locator(".quick-input-list .monaco-list-row").filter({ hasText: name }).first().waitFor();
  await page.keyboard.press("Enter");
  await page.getByRole("tab", { name: new RegExp(name) }).waitFor();
  await page.keyboard.press("Control+Home");
  await page.evaluate(() => {
    const own = globalThis as unknown as { typed?: number[] };
    const isWatched = own.typed !== undefined;
    own.typed = [];
    if (isWatched) return;
    document.addEventListener(
      "keydown",
      () => {
        const start = performance.now();
        requestAnimationFrame(() => {
          const { port1, port2 } = new MessageChannel();
          port1.onmessage = () => own.typed?.push(performance.now() - start);
          port2.postMessage(null);
        });
      },
      true,
    );
  });
  for (let key = 0; key < keys; key++)
    await page.keyboard.press(key % 8 === 7 ? "Enter" : "x", { delay: 30 });
  return page.evaluate(() => (globalThis as unknown as { typed: number[] }).typed);
}

const saves = 10;

/** Milliseconds from each Ctrl+S, after one more key, until the tab has no unsaved text. */
async function saveOften({ page }: Workbench): Promise<number[]> {
  const unsaved = page.locator(".tab.dirty");
  const times: number[] = [];
  for (let save = 0; save < saves; save++) {
    await page.keyboard.press("x");
    await unsaved.waitFor();
    const start = performance.now();
    await page.keyboard.press("Control+S");
    await unsaved.waitFor({ state: "hidden" });
    times.push(performance.now() - start);
  }
  return times;
}
