import { isAbsolute, resolve } from "node:path";
import { startProgram } from "../../../../platform/process/program.ts";
import { gather } from "../own/runCommand.ts";
import type { Hook } from "./hookFile.ts";

/** How a hook has ended. */
export interface HookEnd {
  /** Null if it was ended by a signal, or could not be started. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** There was more output than is read. */
  readonly isCut: boolean;
  /** It was ended by its time limit. */
  readonly isLate: boolean;
  /** Why it could not be started. */
  readonly failure?: string;
}

/** The absolute folder in which a hook runs. */
export function folderOf({ cwd = "", file: { folder } }: Hook): string {
  return isAbsolute(cwd) ? cwd : resolve(folder, cwd);
}

/** Names of variables that could hold a secret. A hook is a program of the workspace, and its output goes to a model. */
const secretName =
  /(^|_)(\w*KEY|\w*TOKEN|\w*SECRET|\w*PASSWORD|\w*PASSPHRASE|PASSWD|PASS|PWD|PAT|JWT|MNEMONIC|CREDENTIALS?|AUTH)(_|$)/i;
const workingFolders: readonly string[] = ["PWD", "OLDPWD"];

/** The variables of the window without those whose names say that they hold secrets. */
function withoutSecrets(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(env).filter(([name]) => workingFolders.includes(name) || !secretName.test(name)),
  );
}

/**
 * Runs a hook with `input` on its standard input. It ends, with all that it has started, when its time is over or the signal
 * is aborted; then it rejects with the signal's reason.
 */
export async function runHook(
  hook: Hook,
  input: string,
  env: NodeJS.ProcessEnv,
  signal: AbortSignal,
): Promise<HookEnd> {
  signal.throwIfAborted();
  const late = AbortSignal.timeout(hook.timeoutMs);
  const either = AbortSignal.any([signal, late]);
  const place = { folder: folderOf(hook), env: { ...withoutSecrets(env), ...hook.env } };
  const program = startProgram(commandOf(hook), place, "pipe");
  const kill = () => program.signal("SIGKILL");
  either.addEventListener("abort", kill, { once: true });
  const { stdin, stdout, stderr } = program.child;
  const [output, errors] = [gather(), gather()];
  stdout?.on("data", output.add);
  stderr?.on("data", errors.add);
  // A hook that does not read its input may close it early.
  stdin?.on("error", () => {});
  stdin?.end(input);
  const end = await program.ended.then(
    ({ code }) => ({ code }),
    (error: Error) => ({ code: null, failure: error.message }),
  );
  either.removeEventListener("abort", kill);
  signal.throwIfAborted();
  const [out, err] = [output.text(), errors.text()];
  return { ...end, stdout: out, stderr: err, isCut: output.isFull(), isLate: late.aborted };
}

function commandOf({ command, shell }: Hook): string | readonly [string, ...string[]] {
  if (shell === "bash") return ["bash", "-c", command];
  if (shell === "powershell") return ["powershell", "-NoProfile", "-NonInteractive", "-Command", command];
  return command;
}
