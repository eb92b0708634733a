import * as z from "zod";
import { checkRequest } from "../checkRequest.ts";
import { json } from "../http/reply.ts";
import { chargeRequest, type MediaHandler } from "../media.ts";
import { marked, passageSnippet } from "./snippet.ts";

const Search = z.strictObject({
  query: z.string().min(1).max(400),
  limit: z.int().min(1).max(20).default(10),
  search_provider: z.enum(["provider_a", "provider_b"]).default("provider_a"),
});

/** POST /augment/search (spec E2). The first provider marks the words it found, in HTML; the second does not. */
export const searchWeb: MediaHandler = async (state, call) => {
  const { query, limit, search_provider } = checkRequest(Search, call.input);
  const found = await state.media.search.find(query, limit, call.signal);
  const results = found.map(({ title, url, text, date }) => {
    const snippet = passageSnippet(text, query);
    return { title, url, content: search_provider === "provider_a" ? marked(snippet, query) : snippet, date };
  });
  chargeRequest(state, call, "search");
  return json({ query, results });
};
