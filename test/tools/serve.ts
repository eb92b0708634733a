import { cpSync, existsSync, renameSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { withBuildLock } from "./buildLock.ts";
import { installCodeServer } from "./installCodeServer.ts";
import { editorState } from "./paths.ts";
import { type ProcessGroup, runToEnd, startGroup } from "./processGroup.ts";
import { createProfile, type Profile } from "./profile.ts";

/** Startup timeout of VS Code's server; it takes about a second. */
const startTimeoutMs = 60_000;

/** A running VS Code with the packaged extension in it. */
export interface Server {
  /** Loopback URL that opens the profile's workspace. */
  readonly url: string;
  readonly group: ProcessGroup;
}

/** Installs the packaged extension into the profile, as a user does. */
export async function installVsix(profile: Profile, vsix: string): Promise<void> {
  const { entry } = await installCodeServer();
  await runToEnd(process.execPath, [entry, ...profileArgs(profile), "--install-extension", vsix], {
    env: environmentOf(profile),
  });
}

/** Copies an installation of the packaged extension into the profile. Installing takes seconds, so it runs once per .vsix. */
export async function addInstalled(profile: Profile, vsix: string): Promise<void> {
  const { mtimeMs, size } = statSync(vsix);
  const home = join(editorState, "installed");
  const cached = join(home, `${Math.round(mtimeMs)}-${size}`);
  await withBuildLock(
    async () => {
      if (existsSync(cached)) return;
      rmSync(home, { recursive: true, force: true });
      const aside = createProfile(join(home, "aside"));
      await installVsix(aside, vsix);
      renameSync(aside.extensions, cached);
    },
    join(editorState, "install.lock"),
  );
  cpSync(cached, profile.extensions, { recursive: true });
}

export interface ServeOptions {
  /** Default 0: any free port. */
  readonly port?: number;
  /** Environment variables in addition to those that `editorEnvironment` keeps. */
  readonly env?: NodeJS.ProcessEnv;
}

/** Starts VS Code on loopback with the profile. Resolves once it responds. */
export async function serve(profile: Profile, { port = 0, env = {} }: ServeOptions = {}): Promise<Server> {
  const { entry } = await installCodeServer();
  const args = [
    ...[
      "--auth",
      "none",
      "--bind-addr",
      `127.0.0.1:${port}`,
      "--disable-telemetry",
      "--disable-update-check",
    ],
    ...["--disable-workspace-trust", "--disable-getting-started-override", profile.workspace],
  ];
  const group = startGroup(process.execPath, [entry, ...profileArgs(profile), ...args], {
    env: { ...environmentOf(profile), ...env },
  });
  try {
    const [, address] = await group.line(/server listening on (http:\/\/127\.0\.0\.1:\d+)/, startTimeoutMs);
    return { url: `${address}/`, group };
  } catch (error) {
    await group.end();
    throw error;
  }
}

function profileArgs({ userData, extensions }: Profile): string[] {
  const config = join(userData, "code-server.yaml"); // else it writes one into the home folder
  return ["--config", config, "--user-data-dir", userData, "--extensions-dir", extensions];
}

/** Puts its log and heartbeat into the temporary profile instead of the home folder. */
function environmentOf({ userData }: Profile): NodeJS.ProcessEnv {
  return editorEnvironment({ XDG_DATA_HOME: join(userData, "share") });
}

/**
 * This environment without variables of a parent editor, without those that configure the server, and without the
 * connection to a paid service.
 */
export function editorEnvironment(more: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv {
  const steering =
    /^(VSCODE_|CODE_SERVER_|ELECTRON_|CS_|npm_|INFERENCE_)|^(PORT|PASSWORD|HASHED_PASSWORD|NODE_OPTIONS|NODE_COMPILE_CACHE|NODE_TEST_CONTEXT)$/;
  const passedOn = Object.entries(process.env).filter(([name]) => !steering.test(name));
  return { ...Object.fromEntries(passedOn), ...more };
}
