import type { FromStudio } from "../../../protocol/studioProtocol.ts";

const forEditor = [
  "act",
  "chooseFolder",
  "addFiles",
  "addUris",
  "addAddress",
  "copy",
  "insert",
  "saveAs",
  "openPicture",
  "remove",
] as const;
/** Messages of the view that need no editor. */
export type StudioRequest = Exclude<FromStudio, { readonly type: (typeof forEditor)[number] }>;
export type EditorRequest = Extract<FromStudio, { readonly type: (typeof forEditor)[number] }>;

export function isForEditor(message: FromStudio): message is EditorRequest {
  return (forEditor as readonly string[]).includes(message.type);
}
