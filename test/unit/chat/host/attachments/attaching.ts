import type { EditorSources } from "../../../../../src/chat/host/attachments/sources/sources.ts";
import { emptyEditor, type TestService } from "../../chat.ts";

/** An editor with these files, by their paths. */
export function editorWith(files: Readonly<Record<string, string | Uint8Array>>): EditorSources {
  return {
    ...emptyEditor,
    nameOf: (uri) => uri.replace("file:///", ""),
    find: async (request) => {
      if (request.kind !== "uri") {
        return {
          kind: "selection",
          name: "a.ts",
          detail: "lines 2 to 3",
          languageId: "typescript",
          text: "let a;\n",
        };
      }
      const name = request.uri.replace("file:///", "");
      const content = files[name];
      if (content === undefined) return `${name} can't be read: there is no such file.`;
      const bytes = new Uint8Array(Buffer.from(content));
      return { kind: "bytes", name, uri: request.uri, bytes, size: bytes.byteLength };
    },
  };
}

/** Requests a file of the workspace. */
export const file = (path: string) => ({ request: { kind: "uri" as const, uri: `file:///${path}` } });

/** The body of the request that `run` causes. */
export async function sentBy(service: TestService, run: () => Promise<void>) {
  const arrived = service.sandbox.nextRequest({ path: "/chat/completions" });
  await run();
  return JSON.parse((await arrived).bodyText);
}
