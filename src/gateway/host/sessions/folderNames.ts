import type { GatewayClient } from "../../server/gatewayClient.ts";

type GatewayFolder = NonNullable<GatewayClient["folder"]>;

/**
 * The folders for which sessions count, as lists name them, by URI: `app`, or `app (work)` and `app (old/work)` where several
 * have a name. As much of what is above them is shown as tells them apart.
 */
export function folderNames(
  sessions: readonly { readonly client: Pick<GatewayClient, "folder"> }[],
): ReadonlyMap<string, string> {
  const folders = new Map<string, GatewayFolder>();
  for (const { client } of sessions) if (client.folder) folders.set(client.folder.uri, client.folder);
  const byName = Map.groupBy(folders.values(), ({ name }) => name);
  return new Map([...byName.values()].flatMap((group) => namesIn(group)));
}

function namesIn(group: readonly GatewayFolder[]): (readonly [string, string])[] {
  if (group.length === 1) return group.map(({ uri, name }) => [uri, name]);
  const deepest = Math.max(...group.map(({ uri }) => partsAbove(uri).length));
  let above = (_uri: string) => "";
  for (let depth = 1; depth <= deepest; depth++) {
    above = (uri) => partsAbove(uri).slice(-depth).join("/");
    if (new Set(group.map(({ uri }) => above(uri))).size === group.length) break;
  }
  return group.map(({ uri, name }) => [uri, `${name} (${above(uri)})`]);
}

/** The folders above one, and its host first. */
function partsAbove(uri: string): readonly string[] {
  return uri
    .replace(/^[^:]*:\/*/, "")
    .split("/")
    .filter(Boolean)
    .slice(0, -1)
    .map(decoded);
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
