import { untilAborted } from "../../../shared/untilAborted.ts";

/** An entry of a folder. */
export interface FolderEntry<Place> {
  readonly kind: "file" | "folder";
  readonly place: Place;
}

export interface Walk<Place> {
  /** Read lazily. Rejects if the folder can't be read. */
  list(folder: Place): Promise<Iterable<FolderEntry<Place>>>;
  readonly mostFiles: number;
  readonly mostFolders: number;
  readonly signal: AbortSignal;
}

/**
 * The files below a folder, those of the nearest folders first. Skips unreadable folders below it. Rejects if the
 * folder itself can't be read, or with the signal's reason.
 */
export async function walkFolders<Place>(
  root: Place,
  { list, mostFiles, mostFolders, signal }: Walk<Place>,
): Promise<Place[]> {
  const files: Place[] = [];
  const folders = [root];
  const listed = (folder: Place) =>
    list(folder).catch((error: unknown): Iterable<FolderEntry<Place>> => {
      if (folder === root) throw error;
      return [];
    });
  // The loop appends to this list.
  for (const folder of folders) {
    for (const { kind, place } of await untilAborted(listed(folder), signal)) {
      if (kind === "folder" && folders.length < mostFolders) folders.push(place);
      else if (kind === "file") files.push(place);
      if (files.length === mostFiles) return files;
    }
  }
  return files;
}
