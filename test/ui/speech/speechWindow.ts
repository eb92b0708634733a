import { join } from "node:path";
import { after, before } from "node:test";
import type { Frame, Locator } from "playwright-core";
import { environment } from "../../../src/shared/names/ids.ts";
import { startTestSandbox, type TestSandbox } from "../../serviceKit/testSandbox.ts";
import { openWorkbench, type Workbench } from "../workbench.ts";
import { frameWith, highlightedText, until, voiceSample } from "./playerPage.ts";

/** The sentences of `harvest.md` as they are spoken. */
export const sentences = [
  "The harvest of this year was good",
  "Apples were picked in the north of the valley.",
  "Pears were picked in the south of it.",
  "Plums were left to the birds, as they are every year.",
  "Nobody has counted the nuts that fell.",
  "This is where the report ends.",
] as const;
/** The Markdown around them. */
const notes = `# The *harvest* of this year was good

Apples were picked in the **north** of [the valley](https://example.com/valley).
Pears were picked in the south of it. Plums were left to the birds, as they are every year.

\`\`\`js
neverSpoken();
\`\`\`

Nobody has counted the nuts that fell. This is where the report ends.
`;

/** Browser API of the page. */
declare const document: { querySelectorAll(selector: "audio"): Iterable<AudioElement> };
interface AudioElement {
  readonly paused: boolean;
  readonly currentTime: number;
}

/** A window with texts to read and the player. */
export interface SpeechWindow {
  readonly workbench: Workbench;
  /** Number of speech requests. */
  spoken(): number;
  pathOf(name: string): string;
  /** Opens a text file of the folder. */
  open(name: string): Promise<void>;
  /** The frame of the player: a chat may be open, too. */
  player(): Promise<Frame>;
  button(name: string): Promise<Locator>;
  /** Resolves once the player shows this status, or this sentence. */
  status(text: string): Promise<void>;
  shows(sentence: string): Promise<void>;
  /** Resolves once it reads; presses Play if the browser requires a click. */
  begin(): Promise<void>;
  /** Resolves once the player plays and its time advances. */
  timeMoves(): Promise<void>;
  /** Resolves once exactly this text is marked in the editor. */
  isHighlighted(text: string): Promise<void>;
}

/** Opens the window for the tests of a suite. */
export function openSpeechWindow(): SpeechWindow {
  let service: TestSandbox;
  let workbench: Workbench;
  before(async () => {
    service = await startTestSandbox({
      apiKey: "ui-speech-key-canary",
      tokensPerSecond: 100_000,
      speechProgram: null,
    });
    workbench = await openWorkbench(
      "speech",
      { "files.simpleDialog.enable": true },
      { [environment.key]: service.apiKey, [environment.baseUrl]: service.baseUrl },
      {
        "harvest.md": notes,
        "binary.txt": Buffer.from("89504e470d0a1a0a0000000d", "hex"),
        "me.wav": voiceSample(),
        "text.wav": "This is no sound at all, whatever it is called.",
      },
    );
  });
  after(async () => {
    await workbench.close();
    await service.close();
  });

  const pathOf = (name: string) => join(workbench.profile.workspace, name);
  const page = () => workbench.page;
  const quickInput = () => page().locator(".quick-input-widget");
  const player = () => frameWith(page, ".sounds");
  const button = async (name: string) => (await player()).getByRole("button", { name, exact: true });
  const status = async (text: string) =>
    (await player()).locator(".facts [role=status]").getByText(text).waitFor();
  const shows = async (sentence: string) =>
    (await player()).locator(".sentence").getByText(sentence).waitFor();
  const spoken = () => service.requests.filter(({ path }) => path.endsWith("/audio/speech")).length;
  const open = async (name: string) => {
    await workbench.runCommand("Go to File...");
    await quickInput().locator("input.input").fill(name);
    await quickInput().locator(".monaco-list-row").filter({ hasText: name }).first().click();
    await page().locator(".tabs-container .tab.active").filter({ hasText: name }).first().waitFor();
    await page().locator(".editor-instance .view-line").getByText("harvest").first().waitFor();
    await page().locator(".statusbar-item").getByText("Markdown", { exact: true }).waitFor();
  };
  const timeMoves = async () => {
    const frame = await player();
    const times = () =>
      frame.evaluate(() =>
        [...document.querySelectorAll("audio")]
          .filter(({ paused }) => !paused)
          .map(({ currentTime }) => currentTime),
      );
    await until(page, async () => {
      const [before = -1] = await times();
      const [after = -1] = await times();
      return before > 0 && after > before;
    });
  };
  const isHighlighted = (text: string) =>
    until(page, async () => (await page().evaluate(highlightedText)).replace(/\s/g, " ") === text);
  const begin = async () => {
    const started = (await player()).locator(".facts [role=status]").getByText(/Reading|Press Play/);
    await started.waitFor();
    if ((await started.innerText()).includes("Press Play")) await (await button("Play")).click();
    await status("Reading");
  };
  return {
    get workbench() {
      return workbench;
    },
    spoken,
    pathOf,
    open,
    player,
    button,
    status,
    shows,
    begin,
    timeMoves,
    isHighlighted,
  };
}
