import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { FrameLocator, Locator, Page } from "playwright-core";
import { results } from "../tools/paths.ts";

/** One window of VS Code, driven by mouse and keyboard. */
export interface WorkbenchWindow {
  readonly page: Page;
  /** Our icon in the activity bar; a click toggles our side bar. */
  readonly icon: Locator;
  /** Opens our side bar, or keeps it open: a restored window may be about to open it itself. */
  openSideBar(): Promise<void>;
  /** The content of our webview; `place` chooses one of several. */
  webview(place?: "sideBar" | "tab"): FrameLocator;
  /** Runs a command by its title in the palette, as in "Inference Chat: New Conversation". */
  runCommand(title: string): Promise<void>;
  /** Types into the input box with this prompt, placeholder or message once it opens, and accepts. */
  enter(asked: string, text: string): Promise<void>;
  /** Types a path into the file dialog once it opens, and accepts. */
  choosePath(path: string): Promise<void>;
  /** Picks a row of the quick pick. */
  pick(label: string): Promise<void>;
  /** Opens a file by its name. In the Explorer, rows move when a file comes or goes, and a click may hit another one. */
  openFile(name: string): Promise<void>;
  /** Opens our menu on a file in the Explorer. */
  explorerMenu(file: string): Promise<Locator>;
  /** The notifications. */
  readonly notifications: Locator;
  /** Sets the width of the side bar in CSS pixels; VS Code's minimum is 170. */
  setSideBarWidth(px: number): Promise<void>;
  setTheme(theme: Theme): Promise<void>;
  /** Writes test-results/ui/NAME.png if pictures are requested (`npm test -- --only ui --pictures`). */
  screenshot(name: string): Promise<void>;
  /** Reloads the window by "Developer: Reload Window". */
  reload(): Promise<void>;
}

type Theme = keyof typeof themes;

const themes = {
  dark: { name: "Dark 2026", className: "vs-dark" },
  light: { name: "Light 2026", className: "vs" },
  hc: { name: "Dark High Contrast", className: "hc-black" },
};

const ourWebview = 'iframe.webview[src*="extensionId=inference-workbench.inference-workbench"]';
const places = {
  sideBar: '[src*="purpose=webviewView"]',
  tab: ':not([src*="purpose=webviewView"])',
};
const pictures = join(results, "ui");
/** Set if pictures are requested; else only a failed test takes one. */
export const picturesVariable = "INFERENCE_TEST_PICTURES";

/** Opens the VS Code at this URL, and waits for our extension. */
export async function openWindow(page: Page, url: string): Promise<WorkbenchWindow> {
  await page.goto(url);
  await ready(page);
  return windowOf(page);
}

/** Writes test-results/ui/NAME.png. */
export async function takePicture(page: Page, name: string): Promise<void> {
  mkdirSync(pictures, { recursive: true });
  await page.screenshot({ path: join(pictures, `${name}.png`) });
}

const input = ".quick-input-widget input.input";

function windowOf(page: Page): WorkbenchWindow {
  const quickInput = page.locator(".quick-input-widget");
  const rowOf = (label: string) =>
    quickInput
      .locator(".quick-input-list .monaco-list-row")
      // Matches the complete label: a matched part is a separate element within a longer label.
      .filter({ has: page.locator(".label-name", { hasText: wholeText(label) }) })
      .first();
  const pick = (label: string) => rowOf(label).click();
  /** Whether the palette showed the command and took the click; a view that takes the focus closes the palette. */
  const tryCommand = async (title: string): Promise<boolean> => {
    await openPalette(page, quickInput);
    const row = rowOf(title);
    const isShown = page
      .locator(input)
      .fill(`>${title}`)
      .then(() => row.waitFor({ timeout: 10_000 }))
      .then(
        () => true,
        () => false,
      );
    const isClosed = quickInput.waitFor({ state: "hidden" }).then(
      () => false,
      () => false,
    );
    if (!(await Promise.race([isShown, isClosed]))) {
      // An open palette does not list commands that are registered later.
      if (await quickInput.isVisible()) await page.keyboard.press("Escape");
      return false;
    }
    const isTaken = await row.click({ timeout: 5_000 }).then(
      () => true,
      () => false,
    );
    // The next keys must go to what the command opens, not to the closing palette.
    if (isTaken) await row.waitFor({ state: "hidden" });
    return isTaken;
  };
  const runCommand = async (title: string) => {
    for (let tries = 0; tries < 5; tries++) if (await tryCommand(title)) return;
    throw new Error(`the palette did not run "${title}"`);
  };
  return {
    page,
    icon: icon(page),
    notifications: page.locator(".notification-toast"),
    async openSideBar() {
      await runCommand("View: Show Inference");
      await page.locator(".part.sidebar").getByText("Inference").first().waitFor();
    },
    webview: (place) =>
      page.frameLocator(ourWebview + (place ? places[place] : "")).frameLocator("iframe#active-frame"),
    runCommand,
    async enter(asked, text) {
      const question = quickInput.getByText(asked).or(quickInput.getByPlaceholder(asked)).first();
      const box = page.locator(input);
      // Another quick input may be closing, and would take the keys.
      await question.waitFor();
      for (let left = 20; left > 0; left--) {
        await box.fill(text);
        // The opener may clear a new box once more.
        if (!(await pressEnterOn(box, text))) continue;
        const isAnswered = await question.waitFor({ state: "hidden", timeout: 2_000 }).then(
          () => true,
          () => false,
        );
        // One with a message, or that is still looking at the answer, keeps it.
        if (isAnswered || (await box.inputValue()) === text) return;
      }
      throw new Error(`the box that asks "${asked}" did not keep what was typed`);
    },
    async choosePath(path) {
      // Typing waits for the list of the folder, which overwrites earlier input.
      await rowOf("..").waitFor();
      await page.locator(input).fill(path);
      const accept = quickInput.locator(".quick-input-action .monaco-button").first();
      const isAccepted = async () => {
        await accept.click();
        return accept.waitFor({ state: "hidden", timeout: 3_000 }).then(
          () => true,
          () => false,
        );
      };
      // The dialog accepts nothing while it reads a folder.
      for (let left = 10; !(await isAccepted()); left--)
        if (left === 0) throw new Error(`the dialog did not take ${path}`);
    },
    pick,
    async openFile(name) {
      const isOpened = async () => {
        await runCommand("Go to File...");
        await page.locator(input).fill(name);
        const row = quickInput.locator(".monaco-list-row", { hasText: name }).first();
        const isFound = await row.waitFor({ timeout: 10_000 }).then(
          () => true,
          () => false,
        );
        // An open box does not list files that are found later.
        await (isFound ? row.click() : page.keyboard.press("Escape"));
        return isFound;
      };
      for (let left = 5; !(await isOpened()); left--)
        if (left === 0) throw new Error(`the editor did not find ${name}`);
      await page.locator(".tab.active", { hasText: name }).waitFor();
    },
    async explorerMenu(file) {
      const row = page.locator(".sidebar .monaco-list-row").filter({ hasText: file }).first();
      const isShown = async () => {
        await runCommand("View: Show Explorer");
        return row.waitFor({ timeout: 10_000 }).then(
          () => true,
          () => false,
        );
      };
      // A window that has just loaded may open another view a moment later.
      for (let tries = 0; tries < 3 && !(await isShown()); tries++);
      await row.click({ button: "right" });
      const menu = page.locator(".monaco-menu");
      await menu.getByText("Inference", { exact: true }).hover();
      return menu;
    },
    setSideBarWidth: (px) => dragSideBar(page, px),
    async setTheme(theme) {
      await runCommand("Preferences: Color Theme");
      await page.locator(input).fill(themes[theme].name);
      await pick(themes[theme].name);
      await page.locator(`.monaco-workbench.${themes[theme].className}`).waitFor();
      await quickInput.waitFor({ state: "hidden" });
    },
    async screenshot(name) {
      if (process.env[picturesVariable]) await takePicture(page, name);
    },
    async reload() {
      // By the command, because closing the page abruptly loses the editor's state of its views.
      const loaded = page.waitForEvent("domcontentloaded");
      await runCommand("Developer: Reload Window");
      await loaded;
      await ready(page);
    },
  };
}

/**
 * Presses Enter in a box. False if it contains another text as the key arrives: then the editor does not get the key, so that
 * nothing else than the text is accepted.
 */
async function pressEnterOn(box: Locator, text: string): Promise<boolean> {
  const asTyped = await box.evaluateHandle((element, expected) => {
    const arrived = { isAsTyped: false };
    const { defaultView } = element.ownerDocument;
    const look = (event: Event) => {
      if (!("key" in event) || event.key !== "Enter") return;
      defaultView.removeEventListener("keydown", look, true);
      arrived.isAsTyped = element.value === expected;
      if (!arrived.isAsTyped) event.stopImmediatePropagation();
    };
    defaultView.addEventListener("keydown", look, true);
    return arrived;
  }, text);
  try {
    await box.press("Enter");
    return await asTyped.evaluate(({ isAsTyped }) => isAsTyped);
  } finally {
    await asTyped.dispose();
  }
}

/** Chooses an item of a context menu. A menu ignores clicks in its first 100 ms, so the click is repeated. */
export async function chooseInMenu(menu: Locator, label: string): Promise<void> {
  const item = menu.getByText(label);
  await item.waitFor();
  const isChosen = async () => {
    await item.click({ timeout: 1_000 }).catch(() => undefined);
    return item.waitFor({ state: "hidden", timeout: 1_000 }).then(
      () => true,
      () => false,
    );
  };
  for (let left = 10; !(await isChosen()); left--)
    if (left === 0) throw new Error(`the menu did not take "${label}"`);
}

/**
 * Applies the quick fix at the caret with this label, and takes a picture of the menu. The editor closes the menu when it
 * asks for code actions again, so the key is repeated.
 */
export async function applyQuickFix(window: WorkbenchWindow, label: string, picture?: string): Promise<void> {
  const fix = window.page.locator(".action-widget").getByText(label).first();
  const isApplied = async () => {
    await window.page.keyboard.press("ControlOrMeta+.");
    try {
      await fix.waitFor({ timeout: 10_000 });
      if (picture) await window.screenshot(picture);
      await fix.click({ timeout: 5_000 });
      return true;
    } catch {
      return false;
    }
  };
  for (let left = 5; !(await isApplied()); left--)
    if (left === 0) throw new Error(`the editor did not offer "${label}"`);
}

/** A window that has just loaded ignores keys until its bindings are loaded: repeats the key until the palette is open. */
async function openPalette(page: Page, quickInput: Locator): Promise<void> {
  for (let left = 10; ; left--) {
    await page.keyboard.press("F1");
    try {
      await quickInput.waitFor({ timeout: 3_000 });
      return;
    } catch (error) {
      // A modal dialog takes every key, and its text says more than a timeout does.
      const dialog = page.locator(".monaco-dialog-box");
      if (await dialog.isVisible()) throw new Error(`a dialog is open: ${await dialog.innerText()}`);
      if (left === 0) throw error;
    }
  }
}

/** The workbench is rendered and knows our extension. */
async function ready(page: Page): Promise<void> {
  await page.locator(".monaco-workbench .part.statusbar").waitFor();
  await icon(page).waitFor();
}

/** Matches the complete text of an element, in this case; a text alone matches a part of it, in any case. */
export function wholeText(text: string): RegExp {
  return new RegExp(`^\\s*${text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&")}\\s*$`);
}

function icon(page: Page): Locator {
  return page
    .locator('.part.activitybar [role="tab"]')
    .filter({ has: page.locator('a[aria-label^="Inference"]:not([aria-label^="Inference Account"])') });
}

async function dragSideBar(page: Page, px: number): Promise<void> {
  const box = await page.locator(".part.sidebar").boundingBox();
  if (!box) throw new Error("The side bar is closed.");
  const y = box.y + box.height / 2;
  await page.mouse.move(box.x + box.width, y);
  await page.mouse.down();
  await page.mouse.move(box.x + px, y, { steps: 4 });
  await page.mouse.up();
}
