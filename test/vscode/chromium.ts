import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  statfsSync,
  statSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium } from "playwright-core";
import { installPackages } from "../tools/installPackages.ts";
import { cacheDirectory } from "../tools/paths.ts";
import { KnownFailure } from "../tools/progress.ts";

const names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "microsoft-edge"];
const programs = [process.env.PROGRAMFILES, process.env["PROGRAMFILES(X86)"], process.env.LOCALAPPDATA];
const places = [
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
  ...programs.flatMap((folder) =>
    folder
      ? [
          join(folder, "Google/Chrome/Application/chrome.exe"),
          join(folder, "Microsoft/Edge/Application/msedge.exe"),
        ]
      : [],
  ),
];

/** Two pages of the address bar, which each new context loads although it has no window: half of the time of a start. */
const popups = ["WebUIOmniboxPopup", "WebUIOmniboxAimPopup"];
/** Chromium reads the last of these flags only, so those of Playwright that matter here are repeated. */
const disabledFeatures = [
  ...popups,
  "AimEnabled",
  "AvoidCorsURLLoaderRestartOnRedirect",
  "AvoidUnnecessaryBeforeUnloadCheckSync",
  "DestroyProfileOnBrowserClose",
  "HttpsFirstBalancedModeAutoEnable",
  "HttpsUpgrades",
  "LensOverlay",
  "MediaRouter",
  "NetworkTimeServiceQuerying",
  "OptimizationHints",
  "PaintHolding",
  "PreconnectToSearch",
  "ThirdPartyStoragePartitioning",
];

/** Flags for a headless browser without background work, which can run as root. */
const flags = [
  `--disable-features=${disabledFeatures}`,
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

const leastSharedBytes = 1e9;
/** Playwright's flag for containers with a small /dev/shm. With files on a disk instead, Chromium takes 6 % longer. */
const ignoreDefaultArgs = hasSharedMemory() ? ["--disable-dev-shm-usage"] : [];

function hasSharedMemory(): boolean {
  try {
    const { bavail, bsize } = statfsSync("/dev/shm");
    return bavail * bsize > leastSharedBytes;
  } catch {
    return false; // not a Linux
  }
}

/** Starts a headless Chromium: `CHROMIUM_PATH`, else an installed one, else (Debian) one installed by apt. */
export async function launchChromium(moreFlags: readonly string[] = []): Promise<Browser> {
  const args = [...flags, ...moreFlags];
  return chromium.launch({ executablePath: await installChromium(), args, ignoreDefaultArgs });
}

/** Waits for an event end after this time. With other work on the machine, VS Code may take a minute to load a window. */
const waitMs = 120_000;
/** The host of every server in `launchCached`: caches belong to an origin. Browsers treat it as secure. */
const cachedHost = "workbench.localhost";
const caches = ["Cache", "Code Cache"];
/** Chromium compiles a script into its cache when it loads it again. */
const loadsToFill = 2;

/**
 * Starts a headless Chromium with the HTTP and code caches of earlier starts, and with nothing else of them. Loading
 * VS Code takes half of the processor time with them. Returns the URL that the server has in this browser.
 */
export async function launchCached(
  server: string,
  options: BrowserContextOptions,
): Promise<{ readonly context: BrowserContext; readonly url: string; close(): Promise<void> }> {
  const executablePath = await installChromium();
  const shared = join(cacheDirectory(), "chromium", String(Math.round(statSync(executablePath).mtimeMs)));
  const filled = (loads: number) => join(shared, String(loads));
  const loads =
    Array.from({ length: loadsToFill }, (_, index) => loadsToFill - index).find((count) =>
      existsSync(filled(count)),
    ) ?? 0;
  const folder = mkdtempSync(join(tmpdir(), "chromium-"));
  const profile = join(folder, "Default");
  if (loads > 0) cpSync(filled(loads), profile, { recursive: true });
  const { port } = new URL(server);
  const rules = `--host-resolver-rules=MAP ${cachedHost}:80 127.0.0.1:${port}`;
  const args = [...flags, rules];
  const launch = { ...options, executablePath, args, ignoreDefaultArgs };
  const context = await chromium.launchPersistentContext(folder, launch);
  context.setDefaultTimeout(waitMs);
  return {
    context,
    url: `http://${cachedHost}/`,
    async close() {
      await context.close();
      if (loads < loadsToFill) keepCaches(profile, filled(loads + 1));
      rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}

/** Copies the caches to a new folder. The first of several processes creates it, and none changes it later. */
function keepCaches(profile: string, to: string): void {
  if (existsSync(to)) return;
  const incomplete = `${to}-${process.pid}`;
  mkdirSync(incomplete, { recursive: true });
  for (const name of caches) cpSync(join(profile, name), join(incomplete, name), { recursive: true });
  try {
    renameSync(incomplete, to);
  } catch {
    rmSync(incomplete, { recursive: true, force: true }); // another process was faster
  }
}

/** The path of an executable Chromium. The error names the command that installs one. */
export async function installChromium(): Promise<string> {
  const named = process.env.CHROMIUM_PATH;
  if (named) {
    if (existsSync(named)) return named;
    throw new KnownFailure(`CHROMIUM_PATH names ${named}, and there is no such file.`);
  }
  const found = findChromium();
  if (found) return found;
  if (existsSync("/etc/debian_version")) await installByApt();
  const installed = findChromium();
  if (installed) return installed;
  throw new KnownFailure(
    "No Chromium found. This installs one: npx playwright-core install --with-deps chromium",
  );
}

function findChromium(): string | undefined {
  const onPath = (process.env.PATH ?? "")
    .split(delimiter)
    .concat("/usr/bin", "/snap/bin")
    .flatMap((folder) => names.map((name) => join(folder, name)));
  return [...onPath, ...places, chromium.executablePath()].find((path) => path !== "" && existsSync(path));
}

async function installByApt(): Promise<void> {
  try {
    await installPackages("Chromium", ["chromium", "fonts-liberation"]);
  } catch (error) {
    const cause = error instanceof Error ? error.message : String(error);
    throw new KnownFailure(
      `${cause}\n\nChromium could not be installed. This mends it: sudo apt-get update && sudo apt-get install -y chromium`,
    );
  }
}
