import { spawn } from "node:child_process";
import type { Samples } from "./sound.ts";
import { decodeWav } from "./wav.ts";

/** Options of espeak-ng. */
export interface EspeakVoice {
  /** A voice of espeak-ng, such as `en-us`. */
  readonly language: string;
  /** A variant of espeak-ng, such as `f3`. */
  readonly variant: string;
  /** 0 to 99. */
  readonly pitch: number;
  readonly wordsPerMinute: number;
}

/** Speaks a sentence. Undefined if the program is not installed or fails. */
export async function espeak(
  program: string,
  text: string,
  voice: EspeakVoice,
): Promise<Samples | undefined> {
  const { language, variant, pitch, wordsPerMinute } = voice;
  const options = ["-v", `${language}+${variant}`, "-p", String(pitch), "-s", String(wordsPerMinute)];
  const file = await run(program, ["--stdin", "--stdout", ...options], text);
  return file && decodeWav(file);
}

/** The languages of espeak-ng. Empty if it is not installed. */
export async function espeakLanguages(program: string): Promise<ReadonlySet<string>> {
  const table = (await run(program, ["--voices"], ""))?.toString("utf8") ?? "";
  // Columns: priority, language, age and gender …
  const rows = table.split("\n").slice(1);
  return new Set(rows.flatMap((row) => row.trim().split(/\s+/)[1] ?? []));
}

const timeoutMs = 30_000;

/** Runs a program without a shell. Returns its output, undefined if it can't be started or fails. */
function run(program: string, options: readonly string[], input: string): Promise<Buffer | undefined> {
  return new Promise((resolve) => {
    const child = spawn(program, options, { stdio: ["pipe", "pipe", "ignore"] });
    // Not spawn's own timeout, which keeps the thread alive if the program can't be started.
    const timer = setTimeout(() => child.kill("SIGKILL"), timeoutMs);
    const end = (printed: Buffer | undefined) => {
      clearTimeout(timer);
      resolve(printed);
    };
    const pieces: Buffer[] = [];
    child.stdout.on("data", (piece: Buffer) => pieces.push(piece));
    child.on("error", () => end(undefined));
    child.on("close", (code) => end(code === 0 ? Buffer.concat(pieces) : undefined));
    // A program that ends early closes its input. The exit code reports the failure.
    child.stdin.on("error", () => {});
    child.stdin.end(input);
  });
}
