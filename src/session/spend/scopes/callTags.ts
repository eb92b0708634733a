import { modelOfInput } from "../../../api/call/attempt.ts";
import { knownMembers, type SpendKind, type SpendSource } from "../../../api/money/charge.ts";
import type { PaidCall } from "../../../api/money/upperPrice.ts";
import { splitModelId } from "../../../shared/chat/modelId.ts";
import type { clientNames } from "../../../shared/money/scopedBudget.ts";
import type { SpentEntry } from "../spendLines.ts";
import { boundedName, type SpendTags } from "./spendTags.ts";

type Place = Pick<SpendTags, "folder" | "folderId" | "branch">;
/**
 * Finds the place of a resource, or of a call without one. `folder`: the name of the workspace folder that the resource is,
 * if that is known.
 */
export type PlaceOf = (resource: string | undefined, folder?: string) => Promise<Place>;

/** What the ledger has of a call as its tags. */
export function tagsOfEntry(entry: SpentEntry): SpendTags {
  const { source, folder, folderId, branch, model, modelId, keyEnding: key } = entry;
  const kind = source && kindOf(source.kind, source.task !== undefined);
  const named = model === undefined ? undefined : splitModelId(model).id;
  return knownMembers({
    ...{ folder, folderId, branch, model: named, modelId, kind, key },
    client: source?.client,
  });
}

/** The folder and the branch of a call as the ledger has them. That they can't be found is no reason to stop it. */
export async function placeTags(
  placeOf: PlaceOf | undefined,
  source: SpendSource | undefined,
): Promise<Place> {
  const found = placeOf?.(source?.resource, source?.folder).catch(() => undefined);
  const { folder, folderId, branch } = (await found) ?? {};
  return knownMembers({
    folder: folder && boundedName(folder),
    folderId,
    branch: branch && boundedName(branch),
  });
}

/** Tags of a call before it is sent. `idOf` tells the id that the name of a model stands for. */
export function tagsOfCall(
  { input, source, keyEnding: key }: PaidCall,
  place: Place,
  idOf: (name: string) => string,
): SpendTags {
  const asked = modelOfInput(input);
  const model = asked === undefined ? undefined : splitModelId(asked).id;
  const id = asked === undefined ? undefined : idOf(asked);
  const names = knownMembers({ model, modelId: id === model ? undefined : id, key });
  return { ...place, ...names, ...tagsOfSource(source) };
}

/** Who asks, as a budget names it. */
export function tagsOfSource(source: SpendSource | undefined): Pick<SpendTags, "kind" | "client"> {
  if (!source) return {};
  const { task, client } = source;
  // Each kind has a name by which a budget can be set for it.
  const kind: keyof typeof clientNames = kindOf<SpendKind>(source.kind, task !== undefined);
  return knownMembers({ kind, client: client && boundedName(client) });
}

/** The agent is a part of the chat, with a budget of its own. */
function kindOf<Kind extends string>(kind: Kind, isTask: boolean): Kind | "agent" {
  return kind === "chat" && isTask ? "agent" : kind;
}
