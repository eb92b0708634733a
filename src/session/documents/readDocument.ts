import { ApiError } from "../../api/errors/errors.ts";
import { estimateTokens } from "../../shared/chat/tokenEstimate.ts";
import { messageOf } from "../../shared/messageOf.ts";
import type { Session } from "../session.ts";

export interface DocumentText {
  readonly text: string;
  /** An estimate. */
  readonly tokens: number;
}

export interface DocumentFile {
  readonly bytes: Uint8Array;
  /** Opens a locked PDF. It is kept nowhere. */
  readonly password?: string;
}

/**
 * The text of a document, read on this machine: nothing is sent, and nothing is charged. Throws the errors that the
 * service's parser would give (`invalid-request` with the reason), so that both are explained in the same words.
 */
export async function readDocument(
  session: Pick<Session, "documents">,
  { bytes, password }: DocumentFile,
  signal: AbortSignal,
): Promise<DocumentText> {
  const { documentReader } = await session.documents();
  try {
    const text = await documentReader.read(bytes, password, signal);
    return { text, tokens: estimateTokens(text) };
  } catch (error) {
    signal.throwIfAborted();
    const message = messageOf(error);
    throw new ApiError("invalid-request", message, {
      mayHaveArrived: false,
      issues: [{ field: "file", message }],
    });
  }
}

/** True for the error of a PDF that needs a password, or another one. */
export function isLocked(error: unknown): boolean {
  return error instanceof ApiError && /^The (?:PDF is locked|password does not open)/.test(error.message);
}

/** Reads a file, with a password if it is locked: asks again after a wrong one, until the user gives none. */
export async function withPassword<Value>(
  read: (password: string | undefined) => Promise<Value>,
  ask: (isWrong: boolean) => Promise<string | undefined>,
): Promise<Value> {
  let password: string | undefined;
  for (;;) {
    try {
      return await read(password);
    } catch (error) {
      if (!isLocked(error)) throw error;
      const given = await ask(password !== undefined);
      if (given === undefined || given === "") throw error;
      password = given;
    }
  }
}
