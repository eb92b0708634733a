import type { GalleryItem, PictureFacts } from "../../shared/studioState.ts";
import { factsName, galleryNames, numbered } from "./pictureNames.ts";

/** The files of one folder, wherever it lies. Names have no path in them. */
export interface FolderFiles {
  names(): Promise<readonly string[]>;
  /** Undefined where there is none. */
  read(name: string): Promise<Uint8Array | undefined>;
  /** Makes the folder, too. Never writes over a file: false where there is one of that name. */
  create(name: string, data: Uint8Array): Promise<boolean>;
  remove(name: string): Promise<void>;
  /** Changes with the content. Undefined where there is no such file. */
  stamp(name: string): Promise<string | undefined>;
}

/** The pictures of a folder, with what is kept beside each. */
export interface Gallery {
  /** Reads the folder anew; gives the number of its pictures. */
  refresh(): Promise<number>;
  readonly size: number;
  items(from: number, count: number): Promise<readonly GalleryItem[]>;
  /** The names of those whose own name, prompt or model holds these words; all names for none. */
  find(words: string): Promise<readonly string[]>;
  has(name: string): boolean;
  facts(name: string): Promise<GalleryItem>;
  read(name: string): Promise<Uint8Array | undefined>;
  /** Keeps a picture under this name, or one like it; gives the name. */
  add(name: string, data: Uint8Array, facts: PictureFacts): Promise<string>;
  /** Removes the picture and the facts that were kept beside it. Facts that can't be understood stay. */
  remove(name: string): Promise<void>;
  stamp(name: string): Promise<string | undefined>;
}

const mostNames = 1000;
const damaged = "What is kept beside this picture can't be read. It is left as it is.";

export function createGallery(
  files: FolderFiles,
  parseFacts: (text: string) => PictureFacts | undefined,
): Gallery {
  let names: readonly string[] = [];
  let known = new Set<string>();
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
      known = new Set(names);
      // Somebody may have mended or moved what was read before.
      read.clear();
      return names.length;
    },
    get size() {
      return names.length;
    },
    items: (from, count) => Promise.all(names.slice(from, from + count).map(facts)),
    async find(words) {
      const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
      if (wanted.length === 0) return names;
      const items = await Promise.all(names.map(facts));
      const holds = ({ name, facts: about }: GalleryItem) => {
        const text = `${name}\n${about?.prompt ?? ""}\n${about?.model ?? ""}`.toLowerCase();
        return wanted.every((word) => text.includes(word));
      };
      return items.filter(holds).map(({ name }) => name);
    },
    has: (name) => known.has(name),
    facts,
    read: async (name) => (known.has(name) ? files.read(name) : undefined),
    async add(wanted, data, about) {
      const name = await createNew(files, wanted, data);
      await files.create(factsName(name), new TextEncoder().encode(factsText(about)));
      await gallery.refresh();
      return name;
    },
    async remove(name) {
      if (!known.has(name)) return;
      const { facts: stored } = await load(name);
      await files.remove(name);
      if (stored) await files.remove(factsName(name));
      await gallery.refresh();
    },
    stamp: async (name) => (known.has(name) ? files.stamp(name) : undefined),
  };
  return gallery;
}

/** The text of the file beside a picture: JSON, for people to read too. */
function factsText(facts: PictureFacts): string {
  return `${JSON.stringify({ v: 1, ...facts }, undefined, 2)}\n`;
}

/** A name is free where neither it nor its facts are there: facts of a picture that is gone are not another's. */
async function createNew(files: FolderFiles, wanted: string, data: Uint8Array): Promise<string> {
  const taken = new Set(await files.names());
  for (let count = 1; count <= mostNames; count++) {
    const name = numbered(wanted, count);
    if (taken.has(name) || taken.has(factsName(name))) continue;
    if (await files.create(name, data)) return name;
  }
  throw new Error(`there are ${mostNames} pictures of the name ${wanted}`);
}
