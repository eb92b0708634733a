// `npm start`: a real VS Code with the packaged extension and the sandbox as its service, in a temporary profile.
import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { environment } from "../../src/shared/names/ids.ts";
import { desktopProgram } from "./desktop.ts";
import { installCodeServer } from "./installCodeServer.ts";
import { packageExtension } from "./package.ts";
import { editorState, root } from "./paths.ts";
import { type ProcessGroup, startGroup } from "./processGroup.ts";
import { addExtension, createProfile, type Profile } from "./profile.ts";
import { failWith, KnownFailure, printLine, withProgress } from "./progress.ts";
import { editorEnvironment, installVsix, serve } from "./serve.ts";

/** An extension that opens our side bar at start-up. */
const opener = join(import.meta.dirname, "opener");

/** The connection in the environment; tests don't use it. */
const connection = Object.fromEntries(
  Object.values(environment).flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])),
);

const settings = { "inference.sandbox.autoStart": true };

async function start(): Promise<void> {
  const { values } = parseArgs({
    options: { desktop: { type: "boolean", default: false }, port: { type: "string", default: "0" } },
  });
  const port = Number(values.port);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    throw new KnownFailure(`--port takes a number from 0 (any free one) to 65535, not ${values.port}.`);
  }
  const profile = temporaryProfile();
  // A separate file: another start in this clone may package again while this one installs.
  const own = join(profile.userData, "..", "extension.vsix");
  const vsix = await withProgress("Building and packing the extension", () => packageExtension(own));
  addExtension(profile, opener);
  const group = values.desktop ? startDesktop(profile) : await startServer(profile, vsix, port);
  printLine("Ctrl-C ends it.");
  const code = await group.exited;
  await group.end();
  if (code !== 0) throw new KnownFailure(`VS Code ended by itself, with ${code}.\n${group.output()}`);
}

async function startServer(profile: Profile, vsix: string, port: number): Promise<ProcessGroup> {
  await installCodeServer();
  await withProgress("Installing the extension into a fresh profile", () => installVsix(profile, vsix));
  const { url, group } = await withProgress("Starting VS Code", () =>
    serve(profile, { port, env: connection }),
  );
  printLine("\nVS Code is ready. Open this address in a browser:\n");
  console.log(url);
  printLine("");
  return group;
}

function startDesktop(profile: Profile): ProcessGroup {
  const program = desktopProgram();
  printLine(`Starting ${program}`);
  return startGroup(
    program,
    [
      ...["--user-data-dir", profile.userData, "--extensions-dir", profile.extensions],
      ...[
        `--extensionDevelopmentPath=${root}`,
        "--disable-workspace-trust",
        "--skip-welcome",
        "--new-window",
      ],
      ...(process.getuid?.() === 0 ? ["--no-sandbox"] : []),
      profile.workspace,
    ],
    { env: editorEnvironment(connection) },
  );
}

/** A temporary profile of this process, deleted at its exit. Deletes profiles of killed runs now. */
function temporaryProfile(): Profile {
  const home = join(editorState, "start");
  mkdirSync(home, { recursive: true });
  for (const pid of readdirSync(home)) {
    if (!isRunning(Number(pid))) rmSync(join(home, pid), { recursive: true, force: true });
  }
  const directory = join(home, String(process.pid));
  process.on("exit", () =>
    rmSync(directory, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }),
  );
  return createProfile(directory, settings);
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

await start().catch(failWith);
