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
export class GalleryController {
  readonly #deps: GalleryControllerDeps;
  #version = 0;
  #words = "";
  /** Undefined if all are shown. */
  #found: readonly string[] | undefined;

  constructor(deps: GalleryControllerDeps) {
    this.#deps = deps;
  }

  /** Reads the folder again and reports the number of pictures. */
  async refresh(): Promise<void> {
    await this.#deps.folder()?.gallery.refresh();
    await this.#report();
  }

  /** Shows only the pictures that match these words. */
  async search(text: string): Promise<void> {
    this.#words = text;
    await this.#report();
  }

  async items({ version: requested, from, count }: BodyOf<"items">): Promise<void> {
    const gallery = this.#deps.folder()?.gallery;
    if (!gallery || requested !== this.#version) return;
    const names = this.#found?.slice(from, from + count);
    const items = names ? await Promise.all(names.map(gallery.facts)) : await gallery.items(from, count);
    if (requested === this.#version)
      this.#deps.post({ v: 1, type: "items", version: this.#version, from, items });
  }

  /** Sends the content of a picture or thumbnail. */
  async sendBytes(of: BytesOf): Promise<void> {
    // Any failure is reported as missing content, because the view waits for an answer.
    const data = await this.#bytesOf(of).catch(() => undefined);
    // Copied: a Buffer may be part of a larger pool, which would be sent as a whole.
    this.#deps.post({ v: 1, type: "bytes", of, data: data ? new Uint8Array(data) : null });
  }

  async saveThumb({ name, bytes }: BodyOf<"thumb">): Promise<void> {
    const key = await this.#keyOf(name);
    if (key) await this.#deps.thumbs.write(key.picture, key.stamp, bytes);
  }

  async #report(): Promise<void> {
    const gallery = this.#deps.folder()?.gallery;
    const searched = this.#words;
    const names = searched.trim() === "" ? undefined : ((await gallery?.find(searched)) ?? []);
    // The search text has changed meanwhile.
    if (searched !== this.#words) return;
    this.#found = names;
    this.#version += 1;
    this.#deps.post({
      v: 1,
      type: "gallery",
      version: this.#version,
      size: names?.length ?? gallery?.size ?? 0,
    });
  }

  async #keyOf(name: string) {
    const at = this.#deps.folder();
    const stamp = await at?.gallery.stamp(name);
    return at && stamp !== undefined ? { picture: `${at.id}/${name}`, stamp } : undefined;
  }

  async #bytesOf({ kind, name }: BytesOf): Promise<Uint8Array<ArrayBufferLike> | undefined> {
    if (kind !== "thumb") return this.#deps.folder()?.gallery.read(name);
    const key = await this.#keyOf(name);
    return key && this.#deps.thumbs.read(key.picture, key.stamp);
  }
}
