import { ApiError } from "../api/errors/errors.ts";
import { homeFolder } from "../platform/process/homeFolder.ts";
import { type Program, startProgram } from "../platform/process/program.ts";
import { visibleLine } from "../shared/text/html/visibleText.ts";
import { shortened } from "../shared/text/shortened.ts";
import type { SignInChallenge } from "./signIn.ts";

/** A hardware wallet waits for its owner. */
const defaultTimeoutMs = 120_000;
/** A header has about 1 KB. */
const mostOutput = 65_536;
/** The end of the error output is kept: it has the reason. */
const mostWords = 4_096;
const mostShown = 300;

interface ProgramOptions {
  readonly signal: AbortSignal | undefined;
  readonly timeoutMs?: number;
}

/**
 * Runs the user's program without a shell, with the challenge as one line of JSON on its standard input. Resolves to its
 * standard output. It runs in the user's home folder, because a workspace could bring a program of the same name. Rejects
 * with an ApiError `not-signed` that never quotes the standard output, or `cancelled`.
 */
export async function askWalletProgram(
  [file = "", ...args]: readonly string[],
  challenge: SignInChallenge,
  { signal, timeoutMs = defaultTimeoutMs }: ProgramOptions,
): Promise<string> {
  if (file === "") throw notSigned("no program is set in inference.wallet.command");
  if (signal?.aborted) throw cancelled();
  const place = { folder: homeFolder(), env: process.env };
  const program = startProgram([file, ...args], place, "pipe");
  const kill = () => program.signal("SIGKILL");
  let late = false;
  const timer = setTimeout(() => {
    late = true;
    kill();
  }, timeoutMs);
  signal?.addEventListener("abort", kill, { once: true });
  try {
    const output = collect(program, kill);
    // It may end without reading.
    program.child.stdin?.on("error", () => {});
    program.child.stdin?.end(`${JSON.stringify({ version: 1, ...challenge })}\n`);
    const { code } = await program.ended.catch((error: NodeJS.ErrnoException) => {
      const isMissing = error.code === "ENOENT";
      throw notSigned(
        `the program ${visibleLine(file)} ${isMissing ? "was not found" : `can't be started (${error.code})`}`,
      );
    });
    if (signal?.aborted) throw cancelled();
    if (late) throw notSigned(`the program did not answer within ${Math.round(timeoutMs / 1000)} seconds`);
    if (output.isTooLong()) throw notSigned(`the program printed more than ${mostOutput / 1024} KB`);
    if (code !== 0) throw notSigned(`the program ended with ${endText(code)}${wordsOf(output.words())}`);
    return output.text();
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", kill);
  }
}

/** Reads both outputs to their end, and keeps a bounded part. A program that prints without end is killed. */
function collect({ child }: Program, kill: () => void) {
  const pieces: Buffer[] = [];
  let size = 0;
  let words = "";
  child.stdout?.on("data", (piece: Buffer) => {
    size += piece.length;
    if (size <= mostOutput) pieces.push(piece);
    else kill();
  });
  child.stderr?.on("data", (piece: Buffer) => {
    words = (words + piece.toString("utf8")).slice(-mostWords);
  });
  return {
    text: () => Buffer.concat(pieces).toString("utf8"),
    isTooLong: () => size > mostOutput,
    words: () => words,
  };
}

function endText(code: number | null): string {
  return code === null ? "a signal" : `exit code ${code}`;
}

function wordsOf(words: string): string {
  const line = visibleLine(withoutSecrets(words).replace(/\s+/g, " ").trim());
  return line === "" ? "" : `: ${shortened(line, mostShown)}`;
}

/**
 * What a wallet's program says when it fails may contain a key. Long words of hex or base64, the words of a recovery
 * phrase, and what follows a name such as `key=` are left out.
 */
export function withoutSecrets(text: string): string {
  return text
    .replace(/\b(?:[a-z]{3,8}[\s,]+){11,}[a-z]{3,8}\b/g, "***")
    .replace(/\b(\w*(?:key|secret|password|passphrase|mnemonic|seed|token)\w*["']?\s*[=:]\s*)\S+/gi, "$1***")
    .replace(/(?:0x)?[0-9a-fA-F]{32,}/g, "***")
    .replace(/[A-Za-z0-9+_=-]{24,}/g, "***")
    .replace(/(?<![\w/.~:])[A-Za-z0-9+=][A-Za-z0-9+/=]{31,}/g, "***");
}

export function notSigned(message: string): ApiError {
  return new ApiError("not-signed", message, { mayHaveArrived: false });
}

function cancelled(): ApiError {
  return new ApiError("cancelled", "cancelled", { mayHaveArrived: false });
}
