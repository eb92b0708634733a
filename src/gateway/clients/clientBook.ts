import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { lstat, readFile, rm, stat, utimes } from "node:fs/promises";
import { dirname, join } from "node:path";
import * as z from "zod";
import { Refusal } from "../../platform/errors/refusal.ts";
import { readTextIfThere, writeDurably } from "../../platform/files/durable/durableFile.ts";
import { isOnlyOwn } from "../../platform/files/privateFiles.ts";
import { sha256 } from "../../platform/sha256.ts";
import { optionalMember } from "../../shared/members.ts";
import { SerialQueue } from "../../shared/serialQueue.ts";
import { parseJson } from "../../shared/text/json/parseJson.ts";
import type { GatewayClient, GatewayFolder } from "../server/gatewayClient.ts";

/** A client as it is stored. Its token is not: only a digest, by which it is known. */
const StoredClient = z.object({
  id: z.string().min(1),
  name: z.string().min(1),
  /** SHA-256 of the token, as hexadecimal digits. */
  digest: z.string().regex(/^[0-9a-f]{64}$/),
  /** Milliseconds since 1970. */
  createdMs: z.number(),
  /** USD. */
  sessionCapUsd: z.number().positive().optional(),
  /** USD; null for none. Clients of older versions get the first one. */
  dayCapUsd: z
    .number()
    .positive()
    .nullable()
    .default(() => firstDayCapUsd),
  /** USD; absent for none. */
  folderCapUsd: z.number().positive().optional(),
  isPrivateOnly: z.boolean().catch(false),
  isCachedLong: z.boolean().catch(false),
  /** The folders in which a token was handed out, with the digest of each. The one that was added last is the last. */
  folders: z
    .array(z.object({ uri: z.string(), name: z.string(), digest: z.string().regex(/^[0-9a-f]{64}$/) }))
    .default(() => []),
});
export type StoredClient = z.infer<typeof StoredClient>;

const StoredBook = z.object({ clients: z.array(StoredClient) });

/** What a user sets for a client. */
export type ClientLimits = Pick<StoredClient, "isPrivateOnly" | "isCachedLong" | "dayCapUsd"> & {
  readonly sessionCapUsd: number | undefined;
  readonly folderCapUsd: number | undefined;
};

/** USD that a session of a new client may cost. */
export const firstCapUsd = 5;
/** USD that all sessions of a new client may cost on a UTC day. Agents may begin a session with each call. */
export const firstDayCapUsd = 20;
/** Folders of a client whose tokens are valid. The oldest ones make room. */
const mostFolders = 200;
/** The file of a token is written after the time that the list has. */
const writtenWithinMs = 2_000;
/**
 * The clients of the gateway, for all windows, in files that only the user can read. A token counts as long as its digest is
 * in the list and its own file is there: no write of another window brings a revoked one back.
 */
export class ClientBook {
  /** Absolute path. It is made when a client is added. */
  readonly #folder: string;
  readonly #now: () => number;
  readonly #user: number | undefined;
  readonly #writes = new SerialQueue();
  #read: { readonly stamp: string; readonly clients: readonly StoredClient[] } | undefined;

  /** `user`: the id of who may have written the files. */
  constructor({
    folder,
    now,
    user = process.getuid?.(),
  }: {
    readonly folder: string;
    readonly now: () => number;
    readonly user?: number | undefined;
  }) {
    this.#user = user;
    this.#folder = folder;
    this.#now = now;
  }

  /** All clients, in the order in which they were added. */
  async all(): Promise<readonly StoredClient[]> {
    const stamp = await stat(this.#file).then(
      ({ mtimeMs, size, ino }) => `${mtimeMs} ${size} ${ino}`,
      () => "none",
    );
    if (this.#read?.stamp !== stamp) this.#read = { stamp, clients: await this.#load() };
    return this.#read.clients;
  }

  /**
   * The client with this token. Takes the same time for each token. Rejects with a Refusal if another user could have read the
   * file of the token, or written the list.
   */
  async find(token: string): Promise<GatewayClient | undefined> {
    const given = Buffer.from(sha256(token));
    await this.#checkOwn(this.#file);
    const isOf = ({ digest }: Pick<StoredClient, "digest">) => timingSafeEqual(given, Buffer.from(digest));
    const found = (await this.all()).find((client) => isOf(client) || client.folders.some(isOf));
    if (!found || !(await this.#use(found.id))) return undefined;
    const { id, name, isPrivateOnly, sessionCapUsd, dayCapUsd, folderCapUsd, isCachedLong } = found;
    const folder = found.folders.find(isOf);
    return {
      id,
      name,
      isPrivateOnly,
      sessionCapUsd,
      ...optionalMember("dayCapUsd", dayCapUsd ?? undefined),
      ...(isCachedLong ? { isCachedLong } : {}),
      ...optionalMember("folderCapUsd", folderCapUsd),
      ...optionalMember("folder", folder && { uri: folder.uri, name: folder.name }),
    };
  }

  /** A new token for a program; an older one of this name is no longer valid. The token is in a file of its own. */
  async add(name: string): Promise<StoredClient> {
    const token = `gw-${randomBytes(32).toString("base64url")}`;
    const id = randomBytes(12).toString("hex");
    return this.#change(async (clients) => {
      const before = clients.find((client) => client.name === name);
      const first = {
        sessionCapUsd: firstCapUsd,
        dayCapUsd: firstDayCapUsd,
        isPrivateOnly: false,
        isCachedLong: false,
      };
      // Its limits; the tokens of its folders were made of the older one.
      const known = { ...(before ?? first), folders: [] };
      const added = { ...known, id, name, digest: sha256(token), createdMs: this.#now() };
      await writeDurably(this.tokenFile(id), token);
      if (before) await rm(this.tokenFile(before.id), { force: true });
      return { clients: [...clients.filter((client) => client !== before), added], result: added };
    });
  }

  /** False if it is no longer there. */
  setLimits(id: string, limits: Partial<ClientLimits>): Promise<boolean> {
    return this.#change(async (clients) => ({
      clients: clients.map((client) => (client.id === id ? { ...client, ...limits } : client)),
      result: clients.some((client) => client.id === id),
    }));
  }

  /** Its next request is refused. */
  revoke(id: string): Promise<void> {
    return this.#change(async (clients) => {
      await rm(this.tokenFile(id), { force: true });
      return { clients: clients.filter((client) => client.id !== id), result: undefined };
    });
  }

  /** The file with the token, which only the user can read. */
  tokenFile(id: string): string {
    return join(this.#folder, "tokens", `${id}.txt`);
  }

  /** Rejects if the file is gone, and with a Refusal if another user could have read or written it. */
  async token(id: string): Promise<string> {
    await this.#checkOwn(this.tokenFile(id));
    return readFile(this.tokenFile(id), "utf8");
  }

  /**
   * The token of a client for its calls in a folder: the same each time, and valid as long as the client's own. Who has it
   * can't find that one, or the one of another folder. Rejects if the client's own is gone.
   */
  async tokenIn(id: string, { uri, name }: GatewayFolder): Promise<string> {
    const digits = createHmac("sha256", await this.token(id))
      .update(uri)
      .digest("base64url");
    const token = `gw-${digits}`;
    const added = { uri, name, digest: sha256(token) };
    await this.#change(async (clients) => ({
      clients: clients.map((client) => (client.id === id ? withFolder(client, added) : client)),
      result: undefined,
    }));
    return token;
  }

  /** Milliseconds since 1970 of the last request; undefined if there was none. */
  async lastUsedMs({ id, createdMs }: StoredClient): Promise<number | undefined> {
    const { mtimeMs } = await stat(this.tokenFile(id)).catch(() => ({ mtimeMs: 0 }));
    return mtimeMs > createdMs + writtenWithinMs ? mtimeMs : undefined;
  }

  get #file(): string {
    return join(this.#folder, "clients.json");
  }

  /** Throws unless the file and its folder are the user's alone, or the file is not there. */
  async #checkOwn(path: string): Promise<void> {
    const [file, folder] = await Promise.all(
      [path, dirname(path)].map((one) => lstat(one).catch(() => undefined)),
    );
    if (!file || !folder || (file.isFile() && isOnlyOwn(file, this.#user) && isOnlyOwn(folder, this.#user)))
      return;
    const step = "run “Use with Other Agents…” in VS Code, choose the agent, and then “New Token”";
    throw new Refusal(
      `Another user of this machine can read or change ${path} or its folder, so no token counts any more. Let only you read both (chmod go= on Linux and macOS), and ${step}. Nothing was sent.`,
    );
  }

  async #load(): Promise<readonly StoredClient[]> {
    const text = await readTextIfThere(this.#file);
    return StoredBook.safeParse(parseJson(text ?? "")).data?.clients ?? [];
  }

  /** The time of its file says when a token was used. False if it was revoked. */
  async #use(id: string): Promise<boolean> {
    await this.#checkOwn(this.tokenFile(id));
    const nowSeconds = this.#now() / 1000;
    return utimes(this.tokenFile(id), nowSeconds, nowSeconds).then(
      () => true,
      () => false,
    );
  }

  /** Reads the file again before each change: another window may have changed it. */
  #change<Result>(
    change: (
      clients: readonly StoredClient[],
    ) => Promise<{ readonly clients: readonly StoredClient[]; readonly result: Result }>,
  ): Promise<Result> {
    return this.#writes.run(async () => {
      const { clients, result } = await change(await this.#load());
      await writeDurably(this.#file, `${JSON.stringify({ clients }, undefined, 2)}\n`);
      this.#read = undefined;
      return result;
    });
  }
}

function withFolder(client: StoredClient, added: StoredClient["folders"][number]): StoredClient {
  const others = client.folders.filter(({ uri }) => uri !== added.uri);
  return { ...client, folders: [...others.slice(1 - mostFolders), added] };
}
