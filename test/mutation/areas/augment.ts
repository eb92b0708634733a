import type { Area } from "../mutant.ts";
import { contract, contractRows, unit } from "../select.ts";

export const augmentArea: Area = {
  tests: [
    contract("classes"),
    contract("charges", "^augment\\."),
    contractRows("^augment\\."),
    unit("sandbox/{search,scrape,documents}/*"),
  ],
  mutants: [
    {
      does: "a query may have 401 characters",
      file: "src/api/endpoints/augment.ts",
      find: "max(400)",
      replace: "max(401)",
    },
    { does: "21 results", file: "src/api/endpoints/augment.ts", find: "max(20)", replace: "max(21)" },
    {
      does: "the sandbox accepts 401 characters",
      file: "src/sandbox/search/handlers.ts",
      find: "max(400)",
      replace: "max(401)",
    },
    {
      does: "the sandbox returns 21 results",
      file: "src/sandbox/search/handlers.ts",
      find: "max(20)",
      replace: "max(21)",
    },
    {
      does: "any address may be scraped",
      file: "src/api/endpoints/augment.ts",
      find: 'z.url({ protocol: /^https?$/, error: "must be an http or https URL" })',
      replace: "z.string()",
    },
    {
      does: "the client prices augmentation at two cents",
      file: "src/shared/money/augmentationUsd.ts",
      find: "augmentationUsd = 0.01",
      replace: "augmentationUsd = 0.02",
    },
    {
      does: "the sandbox charges two cents for augmentation",
      file: "src/sandbox/media.ts",
      find: "const usdPerRequest = 0.01;",
      replace: "const usdPerRequest = 0.02;",
    },
    {
      does: "social networks can be scraped",
      file: "src/sandbox/scrape/download.ts",
      find: "isBlockedSite(plainHost(url))",
      replace: "isBlockedSite(url.protocol)",
    },
    {
      does: "private hosts can be scraped",
      file: "src/api/transport/boundedFetch.ts",
      find: 'if (isPrivateHost(host)) return "private";',
      replace: 'if (isPrivateHost("example.com")) return "private";',
    },
    {
      does: "redirects are not checked",
      file: "src/api/transport/boundedFetch.ts",
      find: "      await check(this.#url,",
      replace: "      if (redirects === 0) await check(this.#url,",
    },
    {
      does: "an unreachable page is a client error",
      file: "src/sandbox/scrape/scrape.ts",
      find: "unreachable: 500,",
      replace: "unreachable: 400,",
    },
    {
      does: "plain text is requested as JSON",
      file: "src/api/endpoints/augment.ts",
      find: 'fixed: { response_format: "text" },',
      replace: 'fixed: { response_format: "json" },',
    },
    {
      does: "a JSON answer is taken for the text",
      file: "src/api/call/body/decode.ts",
      find: 'const value = row.decode === "text" && isAsked ? text : readValue(row, reply, text);',
      replace: 'const value = row.decode === "text" ? text : readValue(row, reply, text);',
    },
    {
      does: "an invalid result fails the search",
      file: "src/api/endpoints/augment.ts",
      find: "results: listOf(SearchResult)",
      replace: "results: z.array(SearchResult)",
    },
    {
      does: "venice gets the spec's provider names",
      file: "src/api/dialect/dialect.ts",
      find: 'values: { search_provider: { provider_a: "brave", provider_b: "google" } },',
      replace: "values: {},",
    },
    {
      does: "the provider names are swapped",
      file: "src/api/dialect/dialect.ts",
      find: '{ provider_a: "brave", provider_b: "google" }',
      replace: '{ provider_a: "google", provider_b: "brave" }',
    },
    {
      does: "the result limit is ignored",
      file: "src/sandbox/search/webSearch.ts",
      find: ".slice(0, limit)",
      replace: ".slice(0, limit + 1)",
    },
    {
      does: "an empty file is accepted",
      file: "src/sandbox/media.ts",
      find: "if (size === 0) throw",
      replace: "if (size < 0) throw",
    },
  ],
};
