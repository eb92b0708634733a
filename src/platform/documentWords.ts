import type { ApiError } from "../api/errors/errors.ts";

/** A sentence for a document whose text can't be read through no fault of the service; undefined for other errors. */
export function documentWords(name: string, { kind, message, details }: ApiError): string | undefined {
  if (kind !== "invalid-request") return undefined;
  const reason = details.issues?.find(({ field }) => field === "file")?.message ?? message;
  if (/\b(locked|password|encrypted)\b/i.test(reason)) {
    return `${name} is protected by a password. Save a copy without a password and read that.`;
  }
  if (/\bscanned\b|\bno text\b/i.test(reason)) {
    return `There is no text in ${name}. Scanned pages are pictures, and their text can't be read.`;
  }
  if (/\bdamaged\b|\bcorrupt/i.test(reason)) return `${name} is damaged. Its text can't be read.`;
  return undefined;
}
