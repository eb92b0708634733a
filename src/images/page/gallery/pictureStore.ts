import { type ReadonlySignal, type Signal, signal } from "@preact/signals";
import { useEffect, useMemo, useState } from "preact/hooks";
import { imageFormatOf } from "../../../shared/images/imageFormats.ts";
import type { BytesOf, ToStudio } from "../../protocol/studioProtocol.ts";
import type { StudioBridge } from "../bridge.ts";
import { toThumb } from "../mask/scalePicture.ts";

interface Entry {
  readonly of: BytesOf;
  readonly url: Signal<string | null | undefined>;
  readonly waiting: ((blob: Blob | null) => void)[];
  blob: Blob | null | undefined;
  users: number;
  isAsked: boolean;
  /** True if no thumbnail is stored: it is made from the whole picture. */
  isUnmade: boolean;
}

const stillAfterMs = 150;
/** Concurrent requests; more would only be queued. */
const mostThumbsAsked = 8;
/** Pictures that stay cached although they are not shown. */
const mostIdle: Readonly<Record<BytesOf["kind"], number>> = { thumb: 600, picture: 2, source: 0, layer: 0 };

/** Pictures of the page: loaded while they are shown, and released some time later. */
export class PictureStore {
  readonly #bridge: StudioBridge;
  readonly #cache = createPictureCache();
  #making: Entry | undefined;
  #stillTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(bridge: StudioBridge) {
    this.#bridge = bridge;
  }

  /** The object URL: undefined while it is loading, null if the picture can't be read. */
  urlOf(of: BytesOf): ReadonlySignal<string | null | undefined> {
    return this.#cache.entryOf(of).url;
  }

  /** Marks a picture as shown until the returned function is called. */
  take(of: BytesOf): () => void {
    const entry = this.#cache.entryOf(of);
    entry.users += 1;
    this.#cache.touch(entry);
    this.#askNext();
    return () => {
      entry.users -= 1;
      this.#cache.dropIdle(of.kind);
    };
  }

  /** Its content; rejects if the picture can't be read. */
  blobOf(of: BytesOf): Promise<Blob> {
    const entry = this.#cache.entryOf(of);
    return new Promise((resolve, reject) => {
      const settle = (blob: Blob | null) =>
        blob ? resolve(blob) : reject(new Error("the picture can't be read"));
      if (entry.blob !== undefined) return settle(entry.blob);
      entry.waiting.push(settle);
      this.#askNext();
    });
  }

  handle({ of, data }: Extract<ToStudio, { readonly type: "bytes" }>): void {
    const blob = data && new Blob([data], { type: typeOf(data) });
    if (of.kind === "source") {
      if (this.#making?.of.name === of.name) void this.#makeThumb(this.#making, blob);
      return;
    }
    const entry = this.#cache.find(of);
    if (!entry || entry.blob !== undefined) {
      this.#askNext();
      return;
    }
    if (of.kind === "thumb" && !blob) {
      entry.isUnmade = true;
      this.#askNext();
    } else this.#fill(entry, blob);
  }

  /** The gallery is scrolling: slow work waits until it stops. */
  moving(): void {
    clearTimeout(this.#stillTimer);
    this.#stillTimer = setTimeout(() => {
      this.#stillTimer = undefined;
      this.#askNext();
    }, stillAfterMs);
  }

  #askNext(): void {
    const open = this.#cache.entries().filter(({ blob }) => blob === undefined);
    for (const entry of nextRequests(open)) {
      entry.isAsked = true;
      this.#bridge.post("want", { of: entry.of });
    }
    if (this.#making || this.#stillTimer !== undefined) return;
    this.#making = open.find(({ isUnmade, users }) => isUnmade && users > 0);
    if (this.#making) this.#bridge.post("want", { of: { kind: "source", name: this.#making.of.name } });
  }

  #fill(entry: Entry, blob: Blob | null): void {
    entry.blob = blob;
    entry.url.value = blob && URL.createObjectURL(blob);
    for (const settle of entry.waiting.splice(0)) settle(blob);
    this.#askNext();
  }

  async #makeThumb(entry: Entry, source: Blob | null): Promise<void> {
    let thumb: Blob | null = null;
    try {
      if (source) thumb = await toThumb(source);
      if (thumb) {
        const bytes = new Uint8Array(await thumb.arrayBuffer());
        this.#bridge.post("thumb", { name: entry.of.name, bytes });
      }
    } catch {
      // The file is not a picture.
    }
    this.#making = undefined;
    this.#fill(entry, thumb);
  }
}

/** The entries to request now, out of those without content. */
function nextRequests(open: readonly Entry[]): readonly Entry[] {
  const isThumb = ({ of, isUnmade }: Entry) => of.kind === "thumb" && !isUnmade;
  let asked = open.filter((entry) => isThumb(entry) && entry.isAsked).length;
  return open.filter((entry) => {
    if (entry.isAsked || (entry.users === 0 && entry.waiting.length === 0)) return false;
    return !isThumb(entry) || ++asked <= mostThumbsAsked;
  });
}

/** The pictures of the page: those that are shown, and the last ones that were. */
function createPictureCache() {
  /** In the order of last use. */
  const entries = new Map<string, Entry>();
  return {
    entries: () => [...entries.values()],
    find: (of: BytesOf) => entries.get(keyOf(of)),
    entryOf(of: BytesOf): Entry {
      const key = keyOf(of);
      const known = entries.get(key);
      if (known) return known;
      const state = { blob: undefined, users: 0, isAsked: false, isUnmade: false };
      const entry: Entry = { of, url: signal(undefined), waiting: [], ...state };
      entries.set(key, entry);
      return entry;
    },
    /** The entry is in use: others are dropped first. */
    touch(entry: Entry) {
      entries.delete(keyOf(entry.of));
      entries.set(keyOf(entry.of), entry);
    },
    /** Drops the least recently used entries beyond the limit of their kind. */
    dropIdle(kind: BytesOf["kind"]) {
      const idle = [...entries].filter(
        ([, { of, users, waiting }]) => of.kind === kind && users + waiting.length === 0,
      );
      for (const [key, { url }] of idle.slice(0, Math.max(0, idle.length - mostIdle[kind]))) {
        if (url.peek()) URL.revokeObjectURL(url.peek() ?? "");
        entries.delete(key);
      }
    },
  };
}

/** The object URL of a picture while this component shows it. */
export function usePicture(
  store: PictureStore,
  kind: BytesOf["kind"],
  name: string,
): string | null | undefined {
  const of = useMemo(() => ({ kind, name }), [kind, name]);
  const url = store.urlOf(of);
  const [, drawAgain] = useState(0);
  useEffect(() => {
    const release = store.take(of);
    // The entry may have been dropped since the component was rendered.
    if (store.urlOf(of) !== url) drawAgain((count) => count + 1);
    return release;
  }, [of]);
  return url.value;
}

function keyOf({ kind, name }: BytesOf): string {
  return `${kind} ${name}`;
}

/** MIME type by the content, for clipboard and canvas. */
function typeOf(data: Uint8Array): string {
  return imageFormatOf(data)?.mediaType ?? "";
}
