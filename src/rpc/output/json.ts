import { isMembers } from "../../shared/members.ts";
import type { Json } from "./rpcOutput.ts";

export type JsonObject = { readonly [name: string]: Json };

export function isObject(value: Json | undefined): value is JsonObject {
  return isMembers(value);
}

export function isList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}
