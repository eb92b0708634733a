import { downloadAndUnzipVSCode, runTests } from "@vscode/test-electron";
import { editorState } from "../tools/paths.ts";
import { editorEnvironment } from "../tools/serve.ts";
import type { HostLaunch, RunningHost } from "./hostServer.ts";

/** Whether a desktop VS Code is requested: by `VSCODE_PATH`, or by `VSCODE_DESKTOP=1`, which allows a download. */
export function wantsDesktop(): boolean {
  return Boolean(process.env.VSCODE_PATH) || process.env.VSCODE_DESKTOP === "1";
}

/** Starts the tests in a desktop VS Code, which exits when they end. */
export async function startDesktopHost({ profile, extension, tests, env }: HostLaunch): Promise<RunningHost> {
  const program = process.env.VSCODE_PATH || (await downloadAndUnzipVSCode({ cachePath: editorState }));
  let outcome = "";
  const ended = runTests({
    vscodeExecutablePath: program,
    extensionDevelopmentPath: extension,
    extensionTestsPath: tests,
    extensionTestsEnv: editorEnvironment(env),
    launchArgs: [
      ...[
        "--user-data-dir",
        profile.userData,
        "--extensions-dir",
        profile.extensions,
        "--disable-workspace-trust",
      ],
      ...(process.getuid?.() === 0 ? ["--no-sandbox"] : []),
      profile.workspace,
    ],
  }).then(
    (code) => {
      outcome = `VS Code ended with ${code}`;
    },
    (error: Error) => {
      outcome = error.message;
    },
  );
  return { output: () => outcome, ended, end: () => ended };
}
