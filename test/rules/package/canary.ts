import { createReadStream, readdirSync, statSync } from "node:fs";
import { join } from "node:path";

/** Keys that tests sign in with. If a file of a run contains one, it would contain a real key, too. */
export const canaryKeys = ["ui-test-key-canary", "key-canary-7f3a91d2c4e85b60"];

/** A secret found in a file. */
export interface Finding {
  readonly path: string;
  readonly secret: string;
}

/** The files below these directories that contain one of the secrets: as UTF-8, as UTF-16, or anywhere inside base64. */
export async function findSecrets(
  secrets: readonly string[],
  directories: readonly string[],
): Promise<Finding[]> {
  const needles = secrets.flatMap((secret) => encodingsOf(secret).map((bytes) => ({ secret, bytes })));
  const findings: Finding[] = [];
  for (const path of directories.flatMap(filesBelow)) {
    for (const secret of await secretsIn(path, needles)) findings.push({ path, secret });
  }
  return findings;
}

interface Needle {
  readonly secret: string;
  readonly bytes: Buffer;
}

/** Base64 depends on the byte offset modulo 3. The search uses each of the three encodings without its edges. */
function encodingsOf(secret: string): Buffer[] {
  const base64 = [0, 1, 2].map((before) => {
    const text = Buffer.from(" ".repeat(before) + secret)
      .toString("base64")
      .replace(/=+$/, "");
    return Buffer.from(text.slice(before === 0 ? 0 : before + 1, -2));
  });
  return [Buffer.from(secret), Buffer.from(secret, "utf16le"), ...base64];
}

async function secretsIn(path: string, needles: readonly Needle[]): Promise<Set<string>> {
  const overlap = Math.max(...needles.map(({ bytes }) => bytes.length)) - 1;
  const found = new Set<string>();
  let rest: Buffer = Buffer.alloc(0);
  for await (const piece of createReadStream(path, { highWaterMark: 1 << 20 })) {
    const bytes = Buffer.concat([rest, piece]);
    for (const needle of needles) if (bytes.includes(needle.bytes)) found.add(needle.secret);
    rest = bytes.subarray(Math.max(0, bytes.length - overlap));
  }
  return found;
}

function filesBelow(directory: string): string[] {
  if (!statSync(directory, { throwIfNoEntry: false })) return [];
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}
