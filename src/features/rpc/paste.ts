import * as vscode from "vscode";
import { languages, notebooks } from "../../shared/ids.ts";
import { readRequest } from "./exchange/readRequest.ts";
import { toPasted } from "./exchange/toPasted.ts";

const kind = vscode.DocumentDropOrPasteEditKind.Text.append("inference", "rpc");

/** A pasted curl or cast command becomes the request that it makes; its headers, and with them its key, stay out. */
export function registerPaste(): vscode.Disposable {
  return vscode.languages.registerDocumentPasteEditProvider(
    { notebookType: notebooks.rpc, language: languages.rpc },
    {
      async provideDocumentPasteEdits(_document, _ranges, data) {
        const text = await data.get("text/plain")?.asString();
        const read = text === undefined ? undefined : readRequest(text);
        if (!read || read.from === "json-rpc") return undefined;
        return [
          new vscode.DocumentPasteEdit(toPasted(read), `Paste the ${read.from} command as a request`, kind),
        ];
      },
    },
    { pasteMimeTypes: ["text/plain"], providedPasteEditKinds: [kind] },
  );
}
