// Where a user sets and sees the members of the API's rows. The table is in the tests: it names the controls of all domains,
// so in the sources it would stand above all of them, in a file that nothing shipped imports.
import type { Table } from "../../../src/api/table.ts";
import type { CommandId, SettingId } from "../../../src/shared/names/ids.ts";

/** Pages with controls. A test opens each of them. */
export type FormName = "chat" | "chat settings" | "image studio" | "speech player" | "usage dashboard";

/** What shows replies. A test gives each of them replies in which one member has another value. */
export type ViewName =
  | "Keys"
  | "Usage"
  | "Limits"
  | "Usage dashboard"
  | "Chat"
  | "Model picker"
  | "Image studio"
  | "Speech player"
  | "Web results"
  | "RPC notebook";

/** Work that will give a member its place. The list in fieldTable.test.ts only shrinks. */
type OpenPart = "later";

/** Where a user sets or sees a member, or why not. */
export type Place =
  /** A control of a page, by its label. */
  | { readonly control: string; readonly in: FormName }
  | { readonly setting: SettingId }
  /** An input of a command: `step` is its prompt, its placeholder, or an item to choose. */
  | { readonly command: CommandId; readonly step?: string }
  /** A cell of an RPC notebook that sets it. */
  | { readonly cell: string }
  /** A view whose text contains its value, or differs with it. */
  | { readonly shown: ViewName }
  /** The program sets it, or uses it without showing it. */
  | { readonly automatic: string }
  /** Nobody needs it. */
  | { readonly unused: string }
  | { readonly open: OpenPart };

export type Places = Readonly<Record<string, Place>>;

export interface RowPlaces {
  /** By the path of the member, as `requestMembers` lists them. */
  readonly request: Places;
  /** By the path of the member, as `replyMembers` lists them. */
  readonly reply: Places;
}

/** Every row of the API. */
export type FieldTable = {
  readonly [Resource in keyof Table]: { readonly [Call in keyof Table[Resource]]: RowPlaces };
};
