import { commands, settings } from "../../../../src/shared/names/ids.ts";
import type { FieldTable, Place } from "../place.ts";

const results: Place = { shown: "Web results" };
const file: Place = { command: commands.webParse };
const format: Place = { setting: settings.webParseFormat };

export const augment: FieldTable["augment"] = {
  search: {
    request: {
      query: { command: commands.webSearch, step: "What to search for" },
      limit: { setting: settings.webSearchLimit },
      search_provider: { setting: settings.webSearchProvider },
    },
    reply: {
      query: { unused: "the query that was asked is shown" },
      "results.title": results,
      "results.url": results,
      "results.content": results,
      "results.date": results,
    },
  },
  scrape: {
    request: { url: { command: commands.webScrape, step: "One address, or several separated by spaces." } },
    reply: {
      url: results,
      content: results,
      format: { automatic: "markdown is the only one" },
    },
  },
  parse: {
    request: { file, "response_format: json": format },
    reply: { text: results, tokens: results },
  },
  parseText: { request: { file, "response_format: text": format }, reply: { "(body)": results } },
};

const notebook: Place = { shown: "RPC notebook" };

export const rpc: FieldTable["rpc"] = {
  call: {
    request: {
      network: { cell: "@network base-mainnet\neth_blockNumber" },
      "jsonrpc: 2.0": { automatic: "a constant" },
      method: { cell: "eth_blockNumber" },
      params: { cell: 'eth_getBlockByNumber "latest" false' },
      id: { cell: '{"jsonrpc": "2.0", "id": "mine", "method": "eth_blockNumber"}' },
      "Idempotency-Key": { cell: "@idempotency mine\neth_blockNumber" },
    },
    reply: {
      jsonrpc: { automatic: "a constant" },
      id: { automatic: "the line that an answer belongs to" },
      result: notebook,
      "error.code": notebook,
      "error.message": notebook,
      "error.data": notebook,
      error: { automatic: "a sentence alone, as some nodes send it: read like error.message" },
    },
  },
  networks: {
    request: {},
    reply: { networks: { command: commands.rpcChooseNetwork } },
  },
};
