import { readText } from "../../../api/call/body/readText.ts";
import type { Transport } from "../../../api/transport/transport.ts";
import { homeFolder } from "../../../platform/process/homeFolder.ts";
import { startProgram } from "../../../platform/process/program.ts";
import { isLoopback } from "../../../session/connection/baseUrl.ts";
import { visibleLine } from "../../../shared/text/html/visibleText.ts";
import type { Alert } from "./alert.ts";

/** Where alerts go, as the user set it. */
export type AlertTarget =
  | { readonly is: "program"; readonly words: readonly [string, ...string[]] }
  | { readonly is: "address"; readonly url: string; readonly origin: string };

const defaultTimeoutMs = 15_000;
/** Bytes of an answer that are read. */
const maxAnswer = 16_384;

/** Reads both settings. A text says what is wrong with an address. */
export function alertTargets(
  command: readonly string[],
  address: string,
): readonly (AlertTarget | { readonly problem: string })[] {
  const [file, ...args] = command;
  return [
    ...(file ? [{ is: "program", words: [file, ...args] } as const] : []),
    ...(address === "" ? [] : [addressTarget(address)]),
  ];
}

function addressTarget(address: string): AlertTarget | { readonly problem: string } {
  if (!URL.canParse(address)) return { problem: "it is not a URL" };
  const { protocol, origin, username, password } = new URL(address);
  if (protocol !== "https:" && !(protocol === "http:" && isLoopback(address)))
    return { problem: "it must begin with https://, or be http:// on this computer" };
  if (username || password) return { problem: "it must not contain a user name or a password" };
  return { is: "address", url: address, origin };
}

/** As messages name it: the address may have a token in its path. */
export function targetName(target: AlertTarget): string {
  return target.is === "program" ? visibleLine(target.words[0]) : target.origin;
}

/**
 * Sends an alert once, in a bounded time: as one line of JSON on the standard input of a program that runs without a shell
 * in the user's home folder, or as the body of a POST. Resolves to the problem; undefined if it was taken.
 */
export function sendAlert(
  target: AlertTarget,
  alert: Alert,
  transport: Pick<Transport, "send">,
  timeoutMs = defaultTimeoutMs,
): Promise<string | undefined> {
  const json = JSON.stringify(alert);
  return target.is === "program"
    ? runProgram(target.words, json, timeoutMs)
    : post(target.url, json, transport, timeoutMs);
}

async function runProgram(
  words: readonly [string, ...string[]],
  json: string,
  timeoutMs: number,
): Promise<string | undefined> {
  const program = startProgram(words, { folder: homeFolder(), env: process.env }, "pipe");
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    program.signal("SIGKILL");
  }, timeoutMs);
  try {
    // Its output is not kept: it may contain secrets of the user.
    program.child.stdout?.resume();
    program.child.stderr?.resume();
    // It may end without reading.
    program.child.stdin?.on("error", () => {});
    program.child.stdin?.end(`${json}\n`);
    const { code } = await program.ended;
    if (isLate) return `it did not end within ${Math.round(timeoutMs / 1000)} seconds`;
    return code === 0 ? undefined : `it ended with ${code === null ? "a signal" : `exit code ${code}`}`;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === "ENOENT" ? "it was not found" : `it can't be started (${code})`;
  } finally {
    clearTimeout(timer);
  }
}

async function post(
  url: string,
  json: string,
  transport: Pick<Transport, "send">,
  timeoutMs: number,
): Promise<string | undefined> {
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    const { status, body } = await transport.send({
      method: "POST",
      url,
      headers: { "content-type": "application/json" },
      body: json,
      signal,
    });
    await readText(body, maxAnswer, () => {});
    return status >= 200 && status < 300 ? undefined : `it answered ${status}`;
  } catch (error) {
    if (signal.aborted) return `it did not answer within ${Math.round(timeoutMs / 1000)} seconds`;
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    const { code } = cause as NodeJS.ErrnoException;
    // A message may quote the whole address.
    return code ? `it can't be reached (${code})` : "it can't be reached";
  }
}
