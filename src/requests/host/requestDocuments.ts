import * as vscode from "vscode";
import type { BodyRecord, Called } from "../../api/call/record/callRecorder.ts";
import { requestScheme } from "../../shared/names/ids.ts";
import { answerText, bodyNote, documentText } from "./bodyText.ts";

/** A body in a document: what was sent, what came back, or the answer that it gives. */
type Part = "request" | "response" | "answer";

const extensions: Readonly<Record<string, string>> = {
  "application/json": "json",
  "text/html": "html",
  "text/markdown": "md",
};

/** The address of a read-only document. The extension of its name says the language. */
export function documentUri(
  id: string,
  attempt: number,
  part: Part,
  body: BodyRecord | undefined,
): vscode.Uri {
  const extension = part === "answer" ? undefined : extensions[body?.type ?? ""];
  const path = `/${encodeURIComponent(id)}/${attempt}/${part}.${extension ?? "txt"}`;
  return vscode.Uri.from({ scheme: requestScheme, path });
}

/** The text of such a document. */
export async function documentOf(
  read: (id: string) => Promise<Called | undefined>,
  { path }: vscode.Uri,
): Promise<string> {
  const [, id = "", attempt = "", name = ""] = path.split("/");
  const part = name.split(".")[0];
  const called = await read(decodeURIComponent(id));
  const found = called?.attempts[Number(attempt)];
  const body = part === "request" ? found?.request : found?.response;
  if (!body) return "This request was deleted, or it has no such body.\n";
  const text = part === "answer" ? answerText(body) : documentText(body);
  return text || `${bodyNote(body)}\n`;
}
