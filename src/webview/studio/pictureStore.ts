import { type ReadonlySignal, type Signal, signal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import type { BytesOf, ToStudio } from "../../shared/studioProtocol.ts";
import type { StudioBridge } from "./bridge.ts";
import { toThumb } from "./scalePicture.ts";

/** Pictures as the page shows them: asked for while something shows them, let go some time after. */
export interface PictureStore {
  /** The address to draw: undefined while it is on its way, null where there is none. */
  urlOf(of: BytesOf): ReadonlySignal<string | null | undefined>;
  /** Begins to show one; the returned function ends that. */
  take(of: BytesOf): () => void;
  /** Its bytes; rejects where there are none. */
  blobOf(of: BytesOf): Promise<Blob>;
  hear(message: Extract<ToStudio, { readonly type: "bytes" }>): void;
}

interface Entry {
  readonly of: BytesOf;
  readonly url: Signal<string | null | undefined>;
  readonly waiting: ((blob: Blob | null) => void)[];
  blob: Blob | null | undefined;
  users: number;
  isAsked: boolean;
}

/** Whole pictures may come in place of thumbnails: more at once would only queue up in memory. */
const mostThumbsAsked = 3;
/** Kept though nothing shows them. */
const mostIdle: Readonly<Record<BytesOf["kind"], number>> = { thumb: 600, picture: 2, layer: 0 };

export function createPictureStore(bridge: StudioBridge): PictureStore {
  /** In the order of their last use. */
  const entries = new Map<string, Entry>();
  const entryOf = (of: BytesOf): Entry => {
    const key = keyOf(of);
    const known = entries.get(key);
    if (known) return known;
    const entry = { of, url: signal(undefined), waiting: [], blob: undefined, users: 0, isAsked: false };
    entries.set(key, entry);
    return entry;
  };
  const ask = (entry: Entry) => {
    entry.isAsked = true;
    bridge.post("want", { of: entry.of });
  };
  const askNext = () => {
    const all = [...entries.values()].filter(({ blob }) => blob === undefined);
    let asked = all.filter(({ of, isAsked }) => of.kind === "thumb" && isAsked).length;
    for (const entry of all) {
      const isWanted = (entry.users > 0 || entry.waiting.length > 0) && !entry.isAsked;
      if (!isWanted) continue;
      if (entry.of.kind === "thumb" && ++asked > mostThumbsAsked) continue;
      ask(entry);
    }
  };
  const forgetIdle = (kind: BytesOf["kind"]) => {
    const idle = [...entries].filter(
      ([, { of, users, waiting }]) => of.kind === kind && users + waiting.length === 0,
    );
    for (const [key, { url }] of idle.slice(0, Math.max(0, idle.length - mostIdle[kind]))) {
      if (url.peek()) URL.revokeObjectURL(url.peek() ?? "");
      entries.delete(key);
    }
  };
  const fill = (entry: Entry, blob: Blob | null) => {
    entry.blob = blob;
    entry.url.value = blob && URL.createObjectURL(blob);
    for (const settle of entry.waiting.splice(0)) settle(blob);
    askNext();
  };
  const makeThumb = async (entry: Entry, source: Blob) => {
    try {
      const thumb = await toThumb(source);
      const bytes = new Uint8Array(await thumb.arrayBuffer());
      bridge.post("thumb", { name: entry.of.name, bytes });
      fill(entry, thumb);
    } catch {
      // A file that is no picture.
      fill(entry, null);
    }
  };
  return {
    urlOf: (of) => entryOf(of).url,
    take(of) {
      const entry = entryOf(of);
      entry.users += 1;
      // To the end: what was used last is forgotten last.
      entries.delete(keyOf(of));
      entries.set(keyOf(of), entry);
      askNext();
      return () => {
        entry.users -= 1;
        forgetIdle(of.kind);
      };
    },
    blobOf(of) {
      const entry = entryOf(of);
      return new Promise((resolve, reject) => {
        const settle = (blob: Blob | null) =>
          blob ? resolve(blob) : reject(new Error("the picture can't be read"));
        if (entry.blob !== undefined) return settle(entry.blob);
        entry.waiting.push(settle);
        askNext();
      });
    },
    hear({ of, data, isSource }) {
      const entry = entries.get(keyOf(of));
      if (!entry || entry.blob !== undefined) return askNext();
      const blob = data && new Blob([data], { type: typeOf(data) });
      if (blob && isSource) void makeThumb(entry, blob);
      else fill(entry, blob);
    },
  };
}

/** The address of a picture while this component shows it. */
export function usePicture(
  store: PictureStore,
  kind: BytesOf["kind"],
  name: string,
): string | null | undefined {
  const of = useMemo(() => ({ kind, name }), [kind, name]);
  useEffect(() => store.take(of), [of]);
  return store.urlOf(of).value;
}

function keyOf({ kind, name }: BytesOf): string {
  return `${kind} ${name}`;
}

/** By its first bytes: what the clipboard and the canvas go by. */
function typeOf(data: Uint8Array): string {
  const start = String.fromCharCode(...data.subarray(0, 12));
  if (start.startsWith("\x89PNG")) return "image/png";
  if (start.startsWith("\xff\xd8\xff")) return "image/jpeg";
  if (start.startsWith("RIFF")) return "image/webp";
  return start.startsWith("GIF") ? "image/gif" : "";
}
