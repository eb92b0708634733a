import { spawn } from "node:child_process";
import type { Samples } from "./sound.ts";
import { decodeWav } from "./wav.ts";

/** How espeak-ng is to say something. */
export interface EspeakVoice {
  /** A voice of its own, such as `en-us`. */
  readonly language: string;
  /** A timbre of its own, such as `f3`. */
  readonly variant: string;
  /** 0 to 99. */
  readonly pitch: number;
  readonly wordsPerMinute: number;
}

/** Says a sentence; undefined where the program is not installed, or fails. */
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

/** The languages that it speaks; empty where it is not installed. */
export async function espeakLanguages(program: string): Promise<ReadonlySet<string>> {
  const table = (await run(program, ["--voices"], ""))?.toString("utf8") ?? "";
  // Columns: priority, language, age and gender …
  const rows = table.split("\n").slice(1);
  return new Set(rows.flatMap((row) => row.trim().split(/\s+/)[1] ?? []));
}

const timeoutMs = 30_000;

/** What a program prints, given its input; undefined where it can't be started or ends badly. No shell sees the text. */
function run(program: string, options: readonly string[], input: string): Promise<Buffer | undefined> {
  return new Promise((resolve) => {
    const child = spawn(program, options, { stdio: ["pipe", "pipe", "ignore"] });
    // Not spawn's own timeout: that one keeps the thread alive where the program could not be started.
    const timer = setTimeout(() => child.kill("SIGKILL"), timeoutMs);
    const end = (printed: Buffer | undefined) => {
      clearTimeout(timer);
      resolve(printed);
    };
    const pieces: Buffer[] = [];
    child.stdout.on("data", (piece: Buffer) => pieces.push(piece));
    child.on("error", () => end(undefined));
    child.on("close", (code) => end(code === 0 ? Buffer.concat(pieces) : undefined));
    // A program that ends early closes its input; its exit code tells what is to be told.
    child.stdin.on("error", () => {});
    child.stdin.end(input);
  });
}
