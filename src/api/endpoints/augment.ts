import * as z from "zod";
import { endpoint } from "../endpoint.ts";
import { augmentation } from "../money/price.ts";
import { fileUpTo25Mb } from "./files.ts";
import { listOf } from "./list.ts";

/** `date` may be empty; `content` may contain HTML (wire.md section 7). */
export const SearchResult = z.looseObject({
  title: z.string().default(""),
  url: z.string(),
  content: z.string().default(""),
  date: z.string().default(""),
});
export type SearchResult = z.infer<typeof SearchResult>;

/** Names of the spec; dialect.ts translates them. */
const SearchProvider = z.enum(["provider_a", "provider_b"]);

const post = {
  method: "POST",
  auth: "inference",
  status: "experimental",
  resend: "billed",
  price: augmentation,
} as const;

const parserInput = z.strictObject({ file: fileUpTo25Mb });
const parser = { ...post, path: "/augment/text-parser", encode: "multipart", input: parserInput } as const;

export const augment = {
  /** POST /augment/search (spec E2). */
  search: endpoint({
    ...post,
    path: "/augment/search",
    encode: "json",
    decode: "json",
    input: z.strictObject({
      query: z.string().min(1).max(400),
      limit: z.int().min(1).max(20).optional(),
      search_provider: SearchProvider.optional(),
    }),
    output: z.looseObject({ query: z.string(), results: listOf(SearchResult) }),
  }),
  /** POST /augment/scrape (spec E4): a public page as markdown. */
  scrape: endpoint({
    ...post,
    path: "/augment/scrape",
    encode: "json",
    decode: "json",
    input: z.strictObject({
      url: z.url({ protocol: /^https?$/, error: "must be an http or https URL" }),
    }),
    output: z.looseObject({ url: z.string(), content: z.string(), format: z.string() }),
  }),
  /** POST /augment/text-parser (spec E9): text and its token count. */
  parse: endpoint({
    ...parser,
    decode: "json",
    fixed: { response_format: "json" },
    output: z.looseObject({ text: z.string(), tokens: z.number() }),
    longText: "text",
  }),
  /** POST /augment/text-parser with a plain text reply. */
  parseText: endpoint({
    ...parser,
    decode: "text",
    fixed: { response_format: "text" },
    accept: "text/plain",
    output: z.string(),
  }),
};
