import { createHash } from "node:crypto";
import { exactJsonText } from "../../shared/text/json/exactJson.ts";
import { Refusal } from "../refusal.ts";

/** How long responses are stored (spec, Chain-RPC limits). */
const storedMs = 86_400_000;

interface Replay<Reply> {
  readonly reply: Reply;
  readonly replayed: boolean;
}

/** The idempotency cache, by user and key. */
export interface Replays<Reply> {
  /** Runs once per key and body. Concurrent and later requests get the same reply. Throws a 400 for another body. */
  once(userId: string, key: string, body: unknown, run: () => Promise<Reply>): Promise<Replay<Reply>>;
}

interface Stored<Reply> {
  readonly digest: string;
  readonly atMs: number;
  readonly reply: Promise<Reply>;
}

export function createReplays<Reply>(now: () => number): Replays<Reply> {
  const stored = new Map<string, Stored<Reply>>();
  const expire = () => {
    // Oldest first, so the first recent entry ends the loop.
    for (const [name, { atMs }] of stored) {
      if (now() - atMs < storedMs) return;
      stored.delete(name);
    }
  };
  /** Nothing is awaited before the reply is stored. A failed request is not kept. */
  const store = async (name: string, digest: string, run: () => Promise<Reply>) => {
    const reply = run();
    stored.set(name, { digest, atMs: now(), reply });
    try {
      return { reply: await reply, replayed: false };
    } catch (error) {
      if (stored.get(name)?.reply === reply) stored.delete(name);
      throw error;
    }
  };
  return {
    async once(userId, key, body, run) {
      expire();
      const name = JSON.stringify([userId, key]);
      const digest = createHash("sha256").update(exactJsonText(body)).digest("hex");
      for (let known = stored.get(name); known; known = stored.get(name)) {
        if (known.digest !== digest) {
          throw new Refusal(400, "The Idempotency-Key was used before with another request body");
        }
        // A failed request is not stored. The next one runs again.
        const reply = await known.reply.then(
          (value) => ({ value }),
          () => undefined,
        );
        if (reply) return { reply: reply.value, replayed: true };
        if (stored.get(name) === known) stored.delete(name);
      }
      return store(name, digest, run);
    },
  };
}
