/** Identity of a document in a segment: its conversation, and the stamp of its file. */
export interface SegmentDocument {
  readonly id: string;
  readonly stamp: string;
}

/** Flags of a match: in the text, in the title. */
export const inText = 1;
export const inTitle = 2;

/**
 * An index of some hundred documents: their terms in order, each with the documents that contain it. It is immutable
 * and stored in a few buffers, equal to its file: ten thousand conversations take some megabytes and no parsing.
 */
export interface SearchSegment {
  readonly documents: readonly SegmentDocument[];
  /** Adds to `found`, by document, the flags of the terms that start with `prefix`. */
  find(prefix: string, found: Uint8Array): void;
  readonly bytes: Buffer;
}

/** Terms with their documents: twice the number of the document, plus one if the term is in the title. */
export type Postings = ReadonlyMap<string, readonly number[]>;

const magic = 0x31535749;
const headBytes = 20;

export function buildSegment(documents: readonly SegmentDocument[], postings: Postings): SearchSegment {
  const terms = [...postings.keys()].sort();
  const termEnds = new Uint32Array(terms.length);
  const postingEnds = new Uint32Array(terms.length);
  const termBytes = Buffer.from(terms.join(""));
  const posted: number[] = [];
  let termEnd = 0;
  terms.forEach((term, place) => {
    termEnd += Buffer.byteLength(term);
    let before = 0;
    for (const posting of postings.get(term) ?? []) {
      pushNumber(posted, posting - before);
      before = posting;
    }
    termEnds[place] = termEnd;
    postingEnds[place] = posted.length;
  });
  const documentBytes = Buffer.from(JSON.stringify(documents));
  const head = Buffer.alloc(headBytes);
  [magic, terms.length, termBytes.length, posted.length, documentBytes.length].forEach((value, place) => {
    head.writeUInt32LE(value, place * 4);
  });
  const ends = [termEnds, postingEnds].map((array) => Buffer.from(array.buffer));
  return toSegment(Buffer.concat([head, ...ends, termBytes, Buffer.from(posted), documentBytes]), documents);
}

/** The segment in a file; undefined if the file is incomplete or no segment. */
export function readSegment(bytes: Buffer): SearchSegment | undefined {
  if (bytes.length < headBytes || bytes.readUInt32LE(0) !== magic) return undefined;
  const { documents: from, end } = partsOf(bytes);
  if (end !== bytes.length) return undefined;
  try {
    return toSegment(bytes, JSON.parse(bytes.toString("utf8", from)));
  } catch {
    return undefined;
  }
}

/** Offsets of the parts of a segment. */
function partsOf(bytes: Buffer) {
  const [count, termBytes, postingBytes, documentBytes] = [1, 2, 3, 4].map((place) =>
    bytes.readUInt32LE(place * 4),
  ) as [number, number, number, number];
  const termEnds = headBytes;
  const postingEnds = termEnds + count * 4;
  const terms = postingEnds + count * 4;
  const postings = terms + termBytes;
  const documents = postings + postingBytes;
  return { count, termEnds, postingEnds, terms, postings, documents, end: documents + documentBytes };
}

function toSegment(bytes: Buffer, documents: readonly SegmentDocument[]): SearchSegment {
  const { count, termEnds, postingEnds, terms, postings } = partsOf(bytes);
  /** Offset of a term or its postings: the end of the one before. */
  const startOf = (ends: number, place: number) =>
    place === 0 ? 0 : bytes.readUInt32LE(ends + (place - 1) * 4);
  const termAt = (place: number) =>
    bytes.toString("utf8", terms + startOf(termEnds, place), terms + startOf(termEnds, place + 1));
  /** Index of the first term that is not less than `text`. */
  const placeOf = (text: string) => {
    let low = 0;
    let high = count;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (termAt(middle) < text) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  return {
    documents,
    bytes,
    find(prefix, found) {
      const from = placeOf(prefix);
      // U+FFFF is in no term.
      const to = placeOf(`${prefix}\uffff`);
      for (let place = from; place < to; place++) {
        let at = postings + startOf(postingEnds, place);
        const end = postings + startOf(postingEnds, place + 1);
        let posting = 0;
        while (at < end) {
          let shift = 0;
          let byte = 0;
          do {
            byte = bytes[at++] ?? 0;
            posting += (byte & 127) << shift;
            shift += 7;
          } while (byte > 127);
          found[posting >>> 1] = (found[posting >>> 1] ?? 0) | (posting & 1 ? inTitle : inText);
        }
      }
    },
  };
}

function pushNumber(bytes: number[], value: number): void {
  let rest = value;
  while (rest > 127) {
    bytes.push((rest & 127) | 128);
    rest >>>= 7;
  }
  bytes.push(rest);
}
