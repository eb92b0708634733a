import { ApiError } from "../../api/errors/errors.ts";
import { isLockedDocument } from "../../platform/documentWords.ts";
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
      endpoint: "augment.parse",
      issues: [{ field: "file", message }],
    });
  }
}

/**
 * Reads a file, with a password if it is locked: asks again after a wrong one, until the user gives none. The password is
 * kept nowhere.
 */
export async function withPassword<Value>(
  read: (password: string | undefined) => Promise<Value>,
  ask: (isWrong: boolean) => Promise<string | undefined>,
): Promise<Value> {
  let password: string | undefined;
  for (;;) {
    try {
      return await read(password);
    } catch (error) {
      if (!isLockedDocument(error)) throw error;
      const given = await ask(password !== undefined);
      if (given === undefined || given === "") throw error;
      password = given;
    }
  }
}
