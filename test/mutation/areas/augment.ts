import type { Area } from "../mutant.ts";
import { contract, contractRows, unit } from "../select.ts";

export const augmentArea: Area = {
  tests: [
    contract("classes"),
    contract("charges", "^augment\\."),
    contractRows("^augment\\."),
    unit("*search*", "*scrape*", "*documents*"),
  ],
  mutants: [
    {
      does: "a query of 401 characters",
      file: "src/api/endpoints/augment.ts",
      find: "max(400)",
      replace: "max(401)",
    },
    { does: "21 results", file: "src/api/endpoints/augment.ts", find: "max(20)", replace: "max(21)" },
    {
      does: "the sandbox takes 401 characters",
      file: "src/sandbox/search/handlers.ts",
      find: "max(400)",
      replace: "max(401)",
    },
    {
      does: "the sandbox gives 21 results",
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
      does: "augmentation costs two cents here",
      file: "src/api/price.ts",
      find: "usd: 0.01",
      replace: "usd: 0.02",
    },
    {
      does: "augmentation costs two cents there",
      file: "src/sandbox/media.ts",
      find: "const usdPerRequest = 0.01;",
      replace: "const usdPerRequest = 0.02;",
    },
    {
      does: "social networks are scraped",
      file: "src/sandbox/scrape/download.ts",
      find: "if (isBlockedSite(url.hostname))",
      replace: "if (isBlockedSite(url.protocol))",
    },
    {
      does: "private hosts are scraped",
      file: "src/sandbox/scrape/download.ts",
      find: "if (await resolvesToPrivateHost(url.hostname))",
      replace: 'if (await resolvesToPrivateHost("example.com"))',
    },
    {
      does: "a redirect may lead anywhere",
      file: "src/sandbox/scrape/download.ts",
      find: "    await checkTarget(at);\n",
      replace: "    if (hop === 0) await checkTarget(at);\n",
    },
    {
      does: "an unreachable page is the caller's fault",
      file: "src/sandbox/scrape/scrape.ts",
      find: "unreachable: 500,",
      replace: "unreachable: 400,",
    },
    {
      does: "text is asked for as JSON",
      file: "src/api/endpoints/augment.ts",
      find: 'fixed: { response_format: "text" },',
      replace: 'fixed: { response_format: "json" },',
    },
    {
      does: "a JSON answer passes for the text",
      file: "src/api/decode.ts",
      find: 'if (row.decode === "text" && !isJson(response) && !isHtml(response)) return text;',
      replace: 'if (row.decode === "text") return text;',
    },
    {
      does: "an odd result fails the search",
      file: "src/api/endpoints/augment.ts",
      find: "results: listOf(SearchResult)",
      replace: "results: z.array(SearchResult)",
    },
    {
      does: "venice is asked in the spec's words",
      file: "src/api/dialect.ts",
      find: 'values: { search_provider: { provider_a: "brave", provider_b: "google" } },',
      replace: "values: {},",
    },
    {
      does: "the providers are mixed up",
      file: "src/api/dialect.ts",
      find: '{ provider_a: "brave", provider_b: "google" }',
      replace: '{ provider_a: "google", provider_b: "brave" }',
    },
    {
      does: "more results come than were asked for",
      file: "src/sandbox/search/webSearch.ts",
      find: ".slice(0, limit)",
      replace: ".slice(0, limit + 1)",
    },
    {
      does: "an empty file is read",
      file: "src/sandbox/media.ts",
      find: "if (size === 0) throw",
      replace: "if (size < 0) throw",
    },
  ],
};
