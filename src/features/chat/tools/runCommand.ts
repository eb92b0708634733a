import { spawn } from "node:child_process";
import { ToolRefusal } from "../../../session/tools/serviceTool.ts";
import { environment } from "../../../shared/ids.ts";

/** Limit of a program's output in bytes. */
const maxOutputBytes = 1_000_000;

/** Working directory and environment variables of a program. */
export interface ProgramEnvironment {
  readonly folder: string;
  readonly env: NodeJS.ProcessEnv;
}

/** Runs a program without a shell; resolves to its standard output. Kills it when the signal is aborted. */
export function runCommand(
  { folder, env }: ProgramEnvironment,
  [program, ...args]: readonly [string, ...string[]],
  input: string,
  signal: AbortSignal,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      cwd: folder,
      env: withoutKey(env),
      signal,
      killSignal: "SIGKILL",
      windowsHide: true,
    });
    const output = gather();
    const errors = gather();
    child.stdout.on("data", output.add);
    child.stderr.on("data", errors.add);
    // A program that does not read its input may close it early.
    child.stdin.on("error", () => {});
    child.stdin.end(input);
    child.on("error", (error) => reject(signal.aborted ? signal.reason : new ToolRefusal(error.message)));
    child.on("close", (code) => {
      if (code === 0) resolve(output.text());
      else reject(new ToolRefusal(`${program} ended with code ${code}. ${errors.text()}`.trim()));
    });
  });
}

/** Removes the API key: the program belongs to the workspace, and its output goes to a model. */
function withoutKey({ [environment.key]: _, ...rest }: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return rest;
}

function gather() {
  const pieces: Buffer[] = [];
  let size = 0;
  return {
    add(piece: Buffer) {
      const room = maxOutputBytes - size;
      if (room <= 0) return;
      pieces.push(piece.subarray(0, room));
      size += Math.min(piece.length, room);
    },
    text: () => Buffer.concat(pieces).toString("utf8"),
  };
}
