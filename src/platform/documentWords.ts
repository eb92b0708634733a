import { type ApiError, isApiError } from "../api/errors/errors.ts";

/** A sentence for a document whose text can't be read through no fault of the service; undefined for other errors. */
export function documentWords(name: string, error: ApiError): string | undefined {
  if (error.kind !== "invalid-request") return undefined;
  const reason = reasonOf(error);
  if (isLockedDocument(error))
    return `${name} is locked with a password. Parse it on this machine, which asks for the password, or save a copy without one.`;
  // An Office file with a password has the form of an old one.
  if (isLockedReason(reason))
    return `${name} is an old Office file, or one that is locked with a password. Save it as DOCX, PPTX or XLSX, without a password.`;
  if (/\bscanned\b|\bno text\b/i.test(reason)) {
    return `There is no text in ${name}. Scanned pages are pictures, and their text can't be read.`;
  }
  if (/\bdamaged\b|\bcorrupt/i.test(reason)) return `${name} is damaged. Its text can't be read.`;
  return undefined;
}

/** True for the refusal of a document that its password would open on this machine: a PDF, no Office file. */
export function isLockedDocument(error: unknown): boolean {
  if (!isApiError(error) || error.kind !== "invalid-request") return false;
  const reason = reasonOf(error);
  return isLockedReason(reason) && !/\bOffice\b/.test(reason);
}

function isLockedReason(reason: string): boolean {
  return /\b(?:locked|password|encrypted)\b/i.test(reason);
}

function reasonOf({ message, details }: ApiError): string {
  const { issues = [] } = details;
  const own = issues.find(({ field }) => field === "file")?.message;
  return own ?? [message, ...issues.map((issue) => issue.message)].join(" ");
}
