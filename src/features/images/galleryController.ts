import type { BytesOf, FromStudio, ToStudio } from "../../shared/studioProtocol.ts";
import type { StudioFolder } from "./studioDeps.ts";
import type { Thumbs } from "./thumbs.ts";

export interface GalleryControllerDeps {
  readonly post: (message: ToStudio) => void;
  readonly thumbs: Thumbs;
  readonly folder: () => StudioFolder | undefined;
}

type BodyOf<Type extends FromStudio["type"]> = Extract<FromStudio, { readonly type: Type }>["body"];

/** Answers what the view asks of the gallery. */
export interface GalleryController {
  /** Reads the folder anew and tells how many pictures there are. */
  refresh(): Promise<void>;
  /** Shows those alone that hold these words. */
  search(words: string): Promise<void>;
  items(body: BodyOf<"items">): Promise<void>;
  want(of: BytesOf): Promise<void>;
  saveThumb(body: BodyOf<"thumb">): Promise<void>;
}

export function galleryController({ post, thumbs, folder }: GalleryControllerDeps): GalleryController {
  let version = 0;
  let words = "";
  /** Undefined while all are shown. */
  let found: readonly string[] | undefined;
  const report = async () => {
    const gallery = folder()?.gallery;
    const searched = words;
    const names = searched.trim() === "" ? undefined : ((await gallery?.find(searched)) ?? []);
    // Whoever typed on is answered for what stands there now.
    if (searched !== words) return;
    found = names;
    version += 1;
    post({ v: 1, type: "gallery", version, size: names?.length ?? gallery?.size ?? 0 });
  };
  const keyOf = async (name: string) => {
    const at = folder();
    const stamp = await at?.gallery.stamp(name);
    return at && stamp !== undefined ? { picture: `${at.id}/${name}`, stamp } : undefined;
  };
  const bytesOf = async ({ kind, name }: BytesOf) => {
    if (kind !== "thumb") return folder()?.gallery.read(name);
    const key = await keyOf(name);
    return key && thumbs.read(key.picture, key.stamp);
  };
  return {
    async refresh() {
      await folder()?.gallery.refresh();
      await report();
    },
    async search(text) {
      words = text;
      await report();
    },
    async items({ version: asked, from, count }) {
      const gallery = folder()?.gallery;
      if (!gallery || asked !== version) return;
      const names = found?.slice(from, from + count);
      const items = names ? await Promise.all(names.map(gallery.facts)) : await gallery.items(from, count);
      if (asked === version) post({ v: 1, type: "items", version, from, items });
    },
    async want(of) {
      // Whatever keeps it from being read: the view waits for an answer, and shows that there is none.
      const data = await bytesOf(of).catch(() => undefined);
      // A buffer of its own: what Node read may be a part of a larger one, which would go along.
      post({ v: 1, type: "bytes", of, data: data ? new Uint8Array(data) : null });
    },
    async saveThumb({ name, bytes }) {
      const key = await keyOf(name);
      if (key) await thumbs.write(key.picture, key.stamp, bytes);
    },
  };
}
