import { isUpload, type Upload } from "../../../src/api/call/body/upload.ts";
import { type Dialect, toWire } from "../../../src/api/dialect/dialect.ts";
import type { Endpoint } from "../../../src/api/endpoint.ts";
import type { Input } from "./suite.ts";
import type { WireRequest } from "./wire.ts";

/** An input as a request of this row, without validation by the client. */
export function toWireRequest(dialect: Dialect, row: Endpoint, input: Input): WireRequest {
  const rest = { ...input };
  const takeMember = (name: string) => {
    const value = rest[name];
    delete rest[name];
    return value;
  };
  const { method } = row;
  const path = row.path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(takeMember(name))),
  );
  const headers = row.accept === undefined ? {} : { accept: row.accept };
  for (const [member, name] of Object.entries(row.headers ?? {})) {
    if (rest[member] !== undefined) Object.assign(headers, { [name]: String(takeMember(member)) });
  }
  const members = { ...toWire(dialect, rest), ...row.fixed };
  if (row.encode === "query") return { method, headers, path: withQuery(path, members) };
  if (row.encode === "whole") return { method, headers, path, body: members.body };
  if (Object.values(members).some(isUpload)) return { method, headers, path, form: formOf(members) };
  return { method, headers, path, body: inlined(members) };
}

function withQuery(path: string, members: Input): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(members)) query.set(name, String(value));
  return query.size === 0 ? path : `${path}?${query}`;
}

function formOf(members: Input): NonNullable<WireRequest["form"]> {
  return Object.entries(members).map(([name, value]) => [
    name,
    isUpload(value) ? fileOf(value) : String(value),
  ]);
}

function fileOf({ name, type, head }: Upload): File {
  return new File([Uint8Array.from(head)], name, { type });
}

/** Files inside JSON are base64 text. */
function inlined(members: Input): Input {
  const inline = (value: unknown) => (isUpload(value) ? Buffer.from(value.head).toString("base64") : value);
  const entries = Object.entries(members).map(([name, value]) => [
    name,
    Array.isArray(value) ? value.map(inline) : inline(value),
  ]);
  return Object.fromEntries(entries);
}
