import { placeInside } from "../../../platform/placeInside.ts";
import { looksSecret } from "../../../shared/secretFiles.ts";
import { ToolRefusal } from "./tool.ts";

/** Throws where a link makes a file of the workspace another one than its name says: one outside, or a secret. */
export async function checkPlace(folders: readonly string[], file: string, shown: string): Promise<void> {
  // What is not there can't be read either, which whoever reads it says.
  const place = await placeInside(folders, file).catch(() => "");
  if (place === undefined) throw new ToolRefusal(`${shown} is a link that leads out of the workspace.`);
  if (looksSecret(place)) throw new ToolRefusal(`${shown} is a link to a file of keys or passwords.`);
}
