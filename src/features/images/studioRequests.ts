import type { FromStudio } from "../../shared/studioProtocol.ts";

const forEditor = [
  "act",
  "chooseFolder",
  "addFiles",
  "addUris",
  "copy",
  "insert",
  "saveAs",
  "openPicture",
  "remove",
] as const;
/** What of the view's wishes the controller itself can do; the others are the editor's. */
export type StudioRequest = Exclude<FromStudio, { readonly type: (typeof forEditor)[number] }>;
export type EditorRequest = Extract<FromStudio, { readonly type: (typeof forEditor)[number] }>;

export function isForEditor(message: FromStudio): message is EditorRequest {
  return (forEditor as readonly string[]).includes(message.type);
}
