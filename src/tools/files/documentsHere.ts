import { readSettings } from "../../platform/settings.ts";
import { readDocument } from "../../session/documents/readDocument.ts";
import type { Session } from "../../session/session.ts";
import type { DocumentsHere } from "../parseDocument.ts";

/** By the setting `inference.web.parser`. A tool can't ask who reads a document, so it reads it here then. */
export function documentsHere(session: Pick<Session, "documents">): DocumentsHere {
  return {
    readsHere: () => readSettings().parser !== "service",
    read: async (bytes, signal) => (await readDocument(session, { bytes }, signal)).text,
  };
}
