import { realpath } from "node:fs/promises";
import { join } from "node:path";
import { readRegular } from "../../../../platform/files/bounded/readInside.ts";
import { isMembers, membersOf, ownMember } from "../../../../shared/members.ts";
import { parseJson } from "../../../../shared/text/json/parseJson.ts";

const maxStateBytes = 4_000_000;

/**
 * The user's `mcp.json` of this window: that of the profile that belongs to the workspace, else the usual one. The editor
 * tells extensions nothing of profiles, but notes in a file which workspace has which.
 * @param folder the editor's folder `User`
 * @param workspace the URI of the folder or of the workspace file; undefined for an empty window
 */
export async function userFile(folder: string, workspace: string | undefined): Promise<string> {
  const usual = join(folder, "mcp.json");
  if (workspace === undefined) return usual;
  const text = await readFollowed(join(folder, "globalStorage", "storage.json"), maxStateBytes);
  const { profileAssociations, userDataProfiles } = membersOf(
    text === undefined ? undefined : parseJson(text),
  );
  const of = ownMember(membersOf(membersOf(profileAssociations).workspaces), workspace);
  const profiles = Array.isArray(userDataProfiles) ? userDataProfiles : [];
  const profile = profiles.filter(isMembers).find(({ location }) => location === of);
  // A name of a folder, and no path.
  if (typeof of !== "string" || !profile || !/^[\w-]+$/.test(of)) return usual;
  return membersOf(profile.useDefaultFlags).mcp === true ? usual : join(folder, "profiles", of, "mcp.json");
}

/** The text of a file of the user, who may have linked it; undefined if there is none that can be read. */
export async function readFollowed(path: string, maxBytes: number): Promise<string | undefined> {
  const real = await realpath(path).catch(() => undefined);
  const text = real === undefined ? undefined : await readRegular(real, maxBytes).catch(() => undefined);
  return typeof text === "string" ? text : undefined;
}
