import assert from "node:assert/strict";
import { type BinaryReply, toBytes } from "../../../src/api/binary.ts";
import type { CallOptions } from "../../../src/api/call/client.ts";

/** The client's function for a row, by its name in the table. */
export function callOf(api: object, id: string): AnyCall {
  const [resource = "", name = ""] = id.split(".");
  return (api as Record<string, Record<string, AnyCall>>)[resource]?.[name] ?? assert.fail(id);
}

type AnyCall = (input: unknown, options?: CallOptions) => Promise<unknown>;

/** Reads a stream or a file to its end, to release its connection and its timer. Returns the events, the bytes or the value. */
export async function readToEnd(value: unknown): Promise<unknown> {
  if (typeof value !== "object" || value === null) return value;
  if (Symbol.asyncIterator in value) {
    const events: unknown[] = [];
    for await (const event of value as AsyncIterable<unknown>) events.push(event);
    return events;
  }
  return "body" in value && "contentType" in value ? toBytes(value as BinaryReply) : value;
}
