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

/** Starts VS Code from npm and a page in Chromium, which makes it run the tests in an extension host. */
export async function startServerHost({ profile, extension, tests, env }: HostLaunch): Promise<RunningHost> {
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
    const browser = await launchChromium();
    const page = await browser.newPage();
    const query = new URLSearchParams({ folder: profile.workspace, payload });
    await page.goto(`http://127.0.0.1:${port}/?${query}`);
    return {
      output: group.output,
      ended: group.exited,
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
