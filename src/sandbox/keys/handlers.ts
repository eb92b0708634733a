import { json } from "../http/reply.ts";
import type { Handler } from "../state/state.ts";
import { veniceOnly } from "../veniceOnly.ts";
import type { ApiKeyStore, KeyChange, KeyRequest } from "./apiKeyStore.ts";

/** The key routes of both dialects. */
export function keyHandlers(book: ApiKeyStore): Readonly<Record<string, Handler>> {
  const idOf = (input: unknown) => (input as { id: string }).id;
  return {
    "POST /api_keys": ({ dialect }, { input }) => {
      const usual = dialect.id === "venice" ? ({ modelPrivacy: "ALL" } as const) : {};
      return json({ success: true, data: book.create({ ...usual, ...(input as KeyRequest) }) });
    },
    "GET /api_keys/{id}": (_, { input }) => json({ data: book.read(idOf(input)) }),
    "GET /api_keys": veniceOnly(() => json({ data: book.list() })),
    "PATCH /api_keys": veniceOnly((_, { input }) =>
      json({ success: true, data: book.update(input as KeyChange) }),
    ),
    "DELETE /api_keys": veniceOnly((_, { input }) => {
      book.revoke(idOf(input));
      return json({ success: true });
    }),
  };
}
