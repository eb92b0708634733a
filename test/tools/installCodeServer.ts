import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { cacheDirectory } from "./paths.ts";
import { runToEnd } from "./processGroup.ts";
import { withProgress } from "./progress.ts";

const version = "4.139.1";

/** Paths in the VS Code from npm. */
export interface CodeServer {
  /** code-server's command line: serves and installs a packaged extension, as for a user. */
  readonly entry: string;
  /** VS Code's own server, which can run tests inside an extension host. */
  readonly serverMain: string;
}

/** Returns VS Code (1.139.1, from npm). The first call downloads it into the user's cache (about 10 s, 600 MB). */
export async function installCodeServer(directory = cacheDirectory()): Promise<CodeServer> {
  const home = join(directory, `code-server-${version}`);
  const marker = join(home, "complete");
  if (!existsSync(marker)) {
    await withProgress("Fetching VS Code from npm (once)", () => install(directory, home, marker));
  }
  const packageRoot = join(home, "node_modules", "code-server");
  return {
    entry: join(packageRoot, "out", "node", "entry.js"),
    serverMain: join(packageRoot, "lib", "vscode", "out", "server-main.js"),
  };
}

/** Installs into a temporary folder and renames it, so that concurrent or killed runs leave no partial copy. */
async function install(directory: string, home: string, marker: string): Promise<void> {
  mkdirSync(directory, { recursive: true });
  rmSync(home, { recursive: true, force: true }); // without the marker it is incomplete
  const aside = mkdtempSync(`${home}-`);
  try {
    const packageRoot = join(aside, "node_modules", "code-server");
    await npmInstall(aside, "--prefix", aside, `code-server@${version}`);
    // Skips the install scripts, which compile native modules that these runs don't need; this downloads the rest.
    await npmInstall(join(packageRoot, "lib", "vscode"), "--omit=dev");
    await npmInstall(join(packageRoot, "lib", "vscode", "extensions"), "--omit=dev");
    writeFileSync(join(aside, "complete"), `${version}\n`);
    if (existsSync(marker)) return;
    renameSync(aside, home);
  } catch (error) {
    if (!existsSync(marker)) throw error; // else another run finished first: use its copy
  } finally {
    rmSync(aside, { recursive: true, force: true });
  }
}

async function npmInstall(cwd: string, ...args: string[]): Promise<void> {
  const windows = process.platform === "win32";
  await runToEnd(
    windows ? "npm.cmd" : "npm",
    ["install", ...args, "--ignore-scripts", "--no-audit", "--no-fund"],
    {
      cwd,
      shell: windows,
      env: { ...withoutNpmSettings(), PATH: [dirname(process.execPath), process.env.PATH].join(delimiter) },
    },
  );
}

/** `npm run` passes its settings on in the environment; they are meant for this project, not for that install. */
function withoutNpmSettings(): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) => !/^npm_(config_(local_)?prefix|package|lifecycle)/i.test(name),
    ),
  );
}
