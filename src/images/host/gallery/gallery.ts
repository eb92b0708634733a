import type { GalleryItem, PictureFacts } from "../../protocol/studioState.ts";
import { factsName, galleryNames, numbered } from "./pictureNames.ts";

/** The files of one folder. Names contain no path. */
export interface FolderFiles {
  names(): Promise<readonly string[]>;
  /** Undefined if the file does not exist. */
  read(name: string): Promise<Uint8Array | undefined>;
  /** Creates the folder, too. Never overwrites a file: returns false if the name is taken. */
  create(name: string, data: Uint8Array): Promise<boolean>;
  remove(name: string): Promise<void>;
  /** Changes with the content. Undefined if the file does not exist. */
  stamp(name: string): Promise<string | undefined>;
}

/** The pictures of a folder, with the metadata file of each. */
export interface Gallery {
  /** Reads the folder again; returns the number of pictures. */
  refresh(): Promise<number>;
  readonly size: number;
  items(from: number, count: number): Promise<readonly GalleryItem[]>;
  /** The names of the pictures whose name, prompt or model contains these words; all names without words. */
  find(words: string): Promise<readonly string[]>;
  has(name: string): boolean;
  facts(name: string): Promise<GalleryItem>;
  read(name: string): Promise<Uint8Array | undefined>;
  /** Saves a picture under this name, or a numbered one if it is taken; returns the name. */
  add(name: string, data: Uint8Array, facts: PictureFacts): Promise<string>;
  /** Removes the picture and its metadata. Metadata that can't be parsed stays. */
  remove(name: string): Promise<void>;
  stamp(name: string): Promise<string | undefined>;
}

const mostNames = 1000;
const damaged = "The metadata file of this picture can't be read. It was not changed.";

export function createGallery(
  files: FolderFiles,
  parseFacts: (text: string) => PictureFacts | undefined,
): Gallery {
  let names: readonly string[] = [];
  let nameSet = new Set<string>();
  const read = new Map<string, GalleryItem>();
  const load = async (name: string): Promise<GalleryItem> => {
    const bytes = await files.read(factsName(name));
    if (bytes === undefined) return { name, facts: null, note: "" };
    const facts = parseFacts(new TextDecoder().decode(bytes));
    return facts ? { name, facts, note: "" } : { name, facts: null, note: damaged };
  };
  const facts = async (name: string) => {
    const item = read.get(name) ?? (await load(name));
    read.set(name, item);
    return item;
  };
  const gallery: Gallery = {
    async refresh() {
      names = galleryNames(await files.names());
      nameSet = new Set(names);
      // Files may have been changed or moved since the last read.
      read.clear();
      return names.length;
    },
    get size() {
      return names.length;
    },
    items: (from, count) => Promise.all(names.slice(from, from + count).map(facts)),
    async find(words) {
      const terms = words.toLowerCase().split(/\s+/).filter(Boolean);
      if (terms.length === 0) return names;
      const items = await Promise.all(names.map(facts));
      const matches = ({ name, facts: about }: GalleryItem) => {
        const text = `${name}\n${about?.prompt ?? ""}\n${about?.model ?? ""}`.toLowerCase();
        return terms.every((word) => text.includes(word));
      };
      return items.filter(matches).map(({ name }) => name);
    },
    has: (name) => nameSet.has(name),
    facts,
    read: async (name) => (nameSet.has(name) ? files.read(name) : undefined),
    async add(preferred, data, about) {
      const name = await createNew(files, preferred, data);
      await files.create(factsName(name), new TextEncoder().encode(factsText(about)));
      await gallery.refresh();
      return name;
    },
    async remove(name) {
      if (!nameSet.has(name)) return;
      const { facts: stored } = await load(name);
      await files.remove(name);
      if (stored) await files.remove(factsName(name));
      await gallery.refresh();
    },
    stamp: async (name) => (nameSet.has(name) ? files.stamp(name) : undefined),
  };
  return gallery;
}

/** The metadata file: JSON, indented for readability. */
function factsText(facts: PictureFacts): string {
  return `${JSON.stringify({ v: 1, ...facts }, undefined, 2)}\n`;
}

/** A name is free if neither picture nor metadata exist: metadata of a deleted picture must not be reused. */
async function createNew(files: FolderFiles, preferred: string, data: Uint8Array): Promise<string> {
  const taken = new Set(await files.names());
  for (let count = 1; count <= mostNames; count++) {
    const name = numbered(preferred, count);
    if (taken.has(name) || taken.has(factsName(name))) continue;
    if (await files.create(name, data)) return name;
  }
  throw new Error(`there are ${mostNames} pictures with the name ${preferred}`);
}
