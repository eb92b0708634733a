import { installCodeServer } from "../tools/installCodeServer.ts";
import { startGroup } from "../tools/processGroup.ts";
import type { Profile } from "../tools/profile.ts";
import { editorEnvironment } from "../tools/serve.ts";
import { launchChromium } from "./chromium.ts";

/** The extension and the tests that an extension host loads. */
export interface HostLaunch {
  readonly profile: Profile;
  /** Folder of the extension under development; VS Code's page accepts one. */
  readonly extension: string;
  /** The module whose `run()` is called in the host. */
  readonly tests: string;
  readonly env: NodeJS.ProcessEnv;
}

/** A started extension host. */
export interface RunningHost {
  /** The last lines of VS Code's output. */
  output(): string;
  /** Resolves when VS Code exits. */
  readonly ended: Promise<unknown>;
  end(): Promise<void>;
}

const startTimeoutMs = 60_000;

/** VS Code from npm as a server, with a browser whose pages are windows of it. */
export interface HostServer {
  /** Opens a window, which makes VS Code run the tests in a new extension host. */
  open(): Promise<RunningHost>;
  end(): Promise<void>;
}

/** Starts VS Code from npm and Chromium. */
export async function startHostServer({ profile, extension, tests, env }: HostLaunch): Promise<HostServer> {
  const { serverMain } = await installCodeServer();
  const args = [
    ...["--host", "127.0.0.1", "--port", "0", "--without-connection-token", "--accept-server-license-terms"],
    ...["--server-data-dir", profile.userData, "--extensions-dir", profile.extensions, "--disable-telemetry"],
    ...["--disable-workspace-trust", "--enable-smoke-test-driver"], // without the last, the page ignores its payload
  ];
  const group = startGroup(process.execPath, [serverMain, ...args], { env: editorEnvironment(env) });
  try {
    const [, port] = await group.line(/Extension host agent listening on (\d+)/, startTimeoutMs);
    const remote = (path: string) => `vscode-remote://127.0.0.1:${port}${path}`;
    const payload = JSON.stringify([
      ["extensionDevelopmentPath", remote(extension)],
      ["extensionTestsPath", remote(tests)],
    ]);
    const query = new URLSearchParams({ folder: profile.workspace, payload });
    const browser = await launchChromium();
    const context = await browser.newContext();
    return {
      async open() {
        const page = await context.newPage();
        await page.goto(`http://127.0.0.1:${port}/?${query}`);
        return { output: group.output, ended: group.exited, end: () => page.close() };
      },
      async end() {
        await browser.close();
        await group.end();
      },
    };
  } catch (error) {
    await group.end();
    throw error;
  }
}
