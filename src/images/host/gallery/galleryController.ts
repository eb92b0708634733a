import type { BytesOf, FromStudio, ToStudio } from "../../protocol/studioProtocol.ts";
import type { StudioFolder } from "../studio/studioDeps.ts";
import type { Thumbs } from "./thumbs.ts";

export interface GalleryControllerDeps {
  readonly post: (message: ToStudio) => void;
  readonly thumbs: Thumbs;
  readonly folder: () => StudioFolder | undefined;
}

type BodyOf<Type extends FromStudio["type"]> = Extract<FromStudio, { readonly type: Type }>["body"];

/** Handles the view's messages about the gallery. */
export interface GalleryController {
  /** Reads the folder again and reports the number of pictures. */
  refresh(): Promise<void>;
  /** Shows only the pictures that match these words. */
  search(words: string): Promise<void>;
  items(body: BodyOf<"items">): Promise<void>;
  /** Sends the content of a picture or thumbnail. */
  sendBytes(of: BytesOf): Promise<void>;
  saveThumb(body: BodyOf<"thumb">): Promise<void>;
}

export function createGalleryController({ post, thumbs, folder }: GalleryControllerDeps): GalleryController {
  let version = 0;
  let words = "";
  /** Undefined if all are shown. */
  let found: readonly string[] | undefined;
  const report = async () => {
    const gallery = folder()?.gallery;
    const searched = words;
    const names = searched.trim() === "" ? undefined : ((await gallery?.find(searched)) ?? []);
    // The search text has changed meanwhile.
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
    async items({ version: requested, from, count }) {
      const gallery = folder()?.gallery;
      if (!gallery || requested !== version) return;
      const names = found?.slice(from, from + count);
      const items = names ? await Promise.all(names.map(gallery.facts)) : await gallery.items(from, count);
      if (requested === version) post({ v: 1, type: "items", version, from, items });
    },
    async sendBytes(of) {
      // Any failure is reported as missing content, because the view waits for an answer.
      const data = await bytesOf(of).catch(() => undefined);
      // Copied: a Buffer may be part of a larger pool, which would be sent as a whole.
      post({ v: 1, type: "bytes", of, data: data ? new Uint8Array(data) : null });
    },
    async saveThumb({ name, bytes }) {
      const key = await keyOf(name);
      if (key) await thumbs.write(key.picture, key.stamp, bytes);
    },
  };
}
