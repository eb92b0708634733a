import { Refusal } from "../../../../platform/errors/refusal.ts";
import { type ProgramEnvironment, startProgram } from "../../../../platform/process/program.ts";
import type { CallContext } from "../tool.ts";

/** Limit of a program's output in bytes. */
const maxOutputBytes = 1_000_000;

/** Runs a program without a shell; resolves to its standard output. Kills it when the signal is aborted. */
export async function runCommand(
  place: ProgramEnvironment,
  command: readonly [string, ...string[]],
  input: string,
  signal: AbortSignal,
  began?: CallContext["began"],
): Promise<string> {
  signal.throwIfAborted();
  const program = startProgram(command, place, "pipe");
  const kill = () => program.signal("SIGKILL");
  signal.addEventListener("abort", kill, { once: true });
  const { stdin, stdout, stderr } = program.child;
  const output = gather();
  const errors = gather();
  began?.(() => ({ output: [output.text(), errors.text()].join("\n").trim() }));
  stdout?.on("data", output.add);
  stderr?.on("data", errors.add);
  // A program that does not read its input may close it early.
  stdin?.on("error", () => {});
  stdin?.end(input);
  const { code } = await program.ended
    .catch((error: Error) => {
      throw new Refusal(error.message);
    })
    .finally(() => signal.removeEventListener("abort", kill));
  signal.throwIfAborted();
  if (code === 0) return output.text();
  throw new Refusal(`${command[0]} ended with code ${code}. ${errors.text()}`.trim());
}

/** The beginning of an output. */
export function gather() {
  const pieces: Buffer[] = [];
  let size = 0;
  return {
    add(piece: Buffer) {
      const room = maxOutputBytes - size;
      if (room <= 0) return;
      pieces.push(piece.subarray(0, room));
      size += Math.min(piece.length, room);
    },
    /** There may be more than was kept. */
    isFull: () => size >= maxOutputBytes,
    text: () => Buffer.concat(pieces).toString("utf8"),
  };
}
