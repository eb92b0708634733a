import { isMembers, type Members } from "../../../shared/members.ts";
import { parseJson } from "../../../shared/text/json/parseJson.ts";

/** The declarations of an ABI file, or the reason that it can't be used. */
export type AbiFile = { readonly declarations: readonly string[] } | { readonly problem: string };

/** Reads a JSON ABI, or the member `abi` of a Foundry or Hardhat artifact. */
export function readAbiJson(text: string): AbiFile {
  const value = parseJson(text);
  if (value === undefined) return { problem: "This file is not JSON" };
  const abi = isMembers(value) ? value.abi : value;
  if (!Array.isArray(abi)) return { problem: "This file contains no ABI: neither a list nor a member abi" };
  const declarations = abi.filter(isMembers).flatMap(toDeclaration);
  return declarations.length > 0 ? { declarations } : { problem: "The ABI of this file is empty" };
}

/** The human-readable declaration of a function, event or error; empty for other entries. */
function toDeclaration({ type, name, inputs, outputs }: Members): string[] {
  if (typeof name !== "string" || !/^[A-Za-z_$][\w$]*$/.test(name)) return [];
  if (type === "event" || type === "error") return [`${type} ${name}(${listOf(inputs)})`];
  if (type !== "function") return [];
  const returned = listOf(outputs);
  return [`function ${name}(${listOf(inputs)})${returned === "" ? "" : ` returns (${returned})`}`];
}

function listOf(parameters: unknown): string {
  return Array.isArray(parameters) ? parameters.filter(isMembers).map(parameterText).join(", ") : "";
}

function parameterText({ type, name, indexed, components }: Members): string {
  const [, dimensions] = /^tuple((?:\[\d*\])*)$/.exec(String(type)) ?? [];
  const written = dimensions === undefined ? String(type) : `(${listOf(components)})${dimensions}`;
  return [written, indexed === true ? "indexed" : "", typeof name === "string" ? name : ""]
    .filter((part) => part !== "")
    .join(" ");
}
