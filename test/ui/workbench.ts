import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { afterEach, type TestContext } from "node:test";
import type { Page } from "playwright-core";
import { vsixPath } from "../tools/package.ts";
import { editorState, root } from "../tools/paths.ts";
import { createProfile, type Profile } from "../tools/profile.ts";
import { KnownFailure } from "../tools/progress.ts";
import { addInstalled, serve } from "../tools/serve.ts";
import { launchCached } from "../vscode/chromium.ts";
import { watchWebviews } from "./webviewProblems.ts";
import { openWindow, picturesVariable, takePicture, type WorkbenchWindow } from "./window.ts";

/** A VS Code in Chromium with the packaged extension. */
export interface Workbench extends WorkbenchWindow {
  readonly profile: Profile;
  /** Its address on this machine. The pages know it by a name that only their browser resolves. */
  readonly serverUrl: string;
  /** Opens a second window of the same profile, with its folder or none; `close` closes it too. */
  openSecondWindow(of?: "folder" | "nothing"): Promise<WorkbenchWindow>;
  /** Closes everything; rejects with console errors and CSP violations of our webviews. */
  close(): Promise<void>;
}

const viewport = { width: 1280, height: 800 };
/** The open windows, for the pictures of failed tests. */
const open = new Map<Page, string>();

// Only under the test runner, which sets this variable: in a benchmark a hook would make node:test print a report.
if (process.env.NODE_TEST_CONTEXT !== undefined) afterEach(takeFailedPictures);

/** At once when a test fails, because later tests would change the window. */
async function takeFailedPictures(context: unknown): Promise<void> {
  const { passed, name } = context as TestContext & { readonly passed?: boolean };
  if (passed !== false) return;
  const title = name.replaceAll(/\W+/g, "-").slice(0, 60);
  for (const [page, profile] of open) await takePicture(page, `${profile}-failed-${title}`).catch(() => {});
}

/**
 * Starts a new profile named after its test file, with these user settings, environment variables, and files in its
 * folder. A file that is written later is visible once the window's watcher reports it. `prepare` receives the path of
 * the folder before VS Code starts.
 */
export async function openWorkbench(
  name: string,
  settings: Readonly<Record<string, unknown>> = {},
  env: NodeJS.ProcessEnv = {},
  files: Readonly<Record<string, string | Uint8Array>> = {},
  prepare?: (folder: string) => void,
): Promise<Workbench> {
  const vsix = vsixPath();
  if (!existsSync(vsix)) throw new KnownFailure(`${relative(root, vsix)} is not there. Run: npm run package`);
  const profile = createProfile(join(editorState, "ui", name), {
    "workbench.reduceMotion": "on",
    ...settings,
  });
  for (const [name, content] of Object.entries(files)) {
    const path = join(profile.workspace, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
  }
  prepare?.(profile.workspace);
  await addInstalled(profile, vsix);
  const server = await serve(profile, { env: { HOME: profile.home, ...env } });
  const browser = await launchCached(server.url, { viewport }).catch(async (error) => {
    await server.group.end();
    throw error;
  });
  const problems: string[] = [];
  const newPage = async () => {
    const page = await browser.context.newPage();
    watchWebviews(page, problems);
    open.set(page, name);
    return page;
  };
  const page = await newPage();
  const end = async () => {
    if (process.env[picturesVariable]) await takePicture(page, `${name}-end`);
    open.clear();
    await browser.close();
    await server.group.end();
  };
  try {
    return {
      ...(await openWindow(page, browser.url)),
      profile,
      serverUrl: server.url,
      openSecondWindow: async (of = "folder") =>
        openWindow(await newPage(), of === "folder" ? browser.url : `${browser.url}?ew=true`),
      async close() {
        await end();
        if (problems.length > 0) throw new Error(`Our webviews complained:\n${problems.join("\n")}`);
      },
    };
  } catch (error) {
    await end();
    throw error;
  }
}
