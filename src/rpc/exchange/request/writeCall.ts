import { exactJsonText } from "../../../shared/text/json/exactJson.ts";
import type { ContractCall } from "../../language/encode/encodeRequest.ts";
import { castValue } from "../cast/castValues.ts";
import { itemOf, membersOf, readSignature } from "../cast/signatureTypes.ts";

/** The options of `cast call` and the words after them, unquoted. `data` is the call as bytes. */
export function castCall(
  { to, signature, args, options, block }: ContractCall,
  data: unknown,
): {
  readonly options: readonly string[];
  readonly words: readonly string[];
} {
  const named = Object.entries(options).flatMap(([name, value]) => [
    name === "gas" ? "--gas-limit" : `--${name}`,
    String(value),
  ]);
  const at = block === "latest" ? [] : ["--block", String(block)];
  const { inputs } = readSignature(signature);
  const values = args.map((arg, at) => castValue(arg, inputs[at] ?? ""));
  const known = values.filter((value) => value !== undefined);
  // Some texts can only be sent as bytes.
  if (known.length < values.length)
    return { options: [...named, ...at, "--data", String(data)], words: [String(to)] };
  const words = [String(to), signature, ...known];
  // After `--`, text that starts like an option is an argument.
  const isPlain = words.every((word) => !word.startsWith("-"));
  return { options: [...named, ...at], words: isPlain ? words : ["--", ...words] };
}

/** A line of the list of promises in a script for viem. */
export function viemCall({ to, signature, args, options, block }: ContractCall): string {
  const { name, inputs, declaration } = readSignature(signature);
  const { from, value, gas } = options;
  const members = [
    `address: ${JSON.stringify(to)}`,
    `abi: parseAbi([${JSON.stringify(declaration)}])`,
    `functionName: ${JSON.stringify(name)}`,
    ...(args.length > 0 ? [`args: [${scriptArgs(args, inputs).join(", ")}]`] : []),
    ...(from === undefined ? [] : [`account: ${JSON.stringify(from)}`]),
    ...(value === undefined ? [] : [`value: ${bigText(value)}`]),
    ...(gas === undefined ? [] : [`gas: ${bigText(gas)}`]),
    ...(isNumber(block) ? [`blockNumber: ${bigText(block)}`] : [`blockTag: ${JSON.stringify(block)}`]),
  ];
  return `  client.readContract({ ${members.join(", ")} }),`;
}

/** A line of the list of promises in a script for ethers. */
export function ethersCall({ to, signature, args, options, block }: ContractCall): string {
  const { name, inputs, declaration } = readSignature(signature);
  const { from, value, gas } = options;
  const overrides = [
    `blockTag: ${JSON.stringify(block)}`,
    ...(from === undefined ? [] : [`from: ${JSON.stringify(from)}`]),
    ...(value === undefined ? [] : [`value: ${bigText(value)}`]),
    ...(gas === undefined ? [] : [`gasLimit: ${bigText(gas)}`]),
  ];
  const given = [...scriptArgs(args, inputs), `{ ${overrides.join(", ")} }`].join(", ");
  return `  new Contract(${JSON.stringify(to)}, [${JSON.stringify(declaration)}], provider).${name}.staticCall(${given}),`;
}

/** A request as far as a test needs it. */
interface TestedItem {
  readonly method: string;
  readonly params: readonly unknown[];
  readonly written?: readonly string[] | undefined;
  readonly call?: ContractCall;
}

/** A test for `forge test` on a fork of the network. The calls are made as encoded, so that the types need no source. */
export function foundryTest(items: readonly TestedItem[], url: string): string {
  const tests = items.map(({ method, params, written, call }, at) => {
    const name = `${(call ? readSignature(call.signature).name : method).replace(/\W/g, "_")}_${at + 1}`;
    const body = call
      ? contractLines(params, call)
      : [rpcLine(method, written ? `[${written.join(",")}]` : exactJsonText(params))];
    return [`    function test_${name}() public {`, ...body.map((line) => `        ${line}`), "    }"].join(
      "\n",
    );
  });
  return [
    `// forge test --fork-url ${url}`,
    "// The fork needs the key in the header Authorization: Bearer $INFERENCE_API_KEY.",
    "pragma solidity ^0.8.20;",
    "",
    'import {Test} from "forge-std/Test.sol";',
    "",
    "contract RpcCellTest is Test {",
    tests.join("\n\n"),
    "}",
  ].join("\n");
}

function contractLines(
  params: readonly unknown[],
  { to, signature, options }: ContractCall,
): readonly string[] {
  const { data } = params[0] as { readonly data: unknown };
  const { outputs } = readSignature(signature);
  const { from } = options;
  return [
    // A literal of an address would need a checksum.
    ...(from === undefined ? [] : [`vm.prank(address(${hexBytes(from)}));`]),
    `(bool ok, bytes memory result) = address(${hexBytes(to)}).staticcall(${hexBytes(data)});`,
    "assertTrue(ok);",
    ...decodeLines(outputs),
  ];
}

/** Variables for the results. Solidity decodes a tuple only into a declared struct. */
function decodeLines(outputs: readonly string[]): readonly string[] {
  const types = outputs.map((output) => output.split(" ")[0] ?? "");
  if (types.length === 0 || types.some((type) => type.startsWith("("))) return [];
  const variables = types.map(
    (type, at) => `${type}${/^(string|bytes)$|\]$/.test(type) ? " memory" : ""} r${at}`,
  );
  const left = variables.length === 1 ? variables[0] : `(${variables.join(", ")})`;
  return [`${left} = abi.decode(result, (${types.join(", ")}));`];
}

function hexBytes(value: unknown): string {
  const digits = String(value).replace(/^0x/, "");
  const text = `hex"${digits}"`;
  return digits.length === 40 ? `bytes20(${text})` : text;
}

function rpcLine(method: string, params: string): string {
  return `vm.rpc(${solidityText(method)}, ${solidityText(params)});`;
}

/** Solidity has no string literal with other than printable ASCII, except with the prefix `unicode`. */
function solidityText(text: string): string {
  const escaped = JSON.stringify(text);
  return /^[\x20-\x7e]*$/.test(escaped) ? escaped : `unicode${escaped}`;
}

function scriptArgs(args: readonly unknown[], types: readonly string[]): readonly string[] {
  return args.map((value, at) => scriptValue(value, types[at] ?? ""));
}

/** A value in JavaScript. Integers of Solidity are BigInt. */
function scriptValue(value: unknown, type: string): string {
  const list = itemOf(type);
  const members = membersOf(type);
  if (Array.isArray(value))
    return `[${value.map((one, at) => scriptValue(one, list ?? members[at] ?? "")).join(", ")}]`;
  if (typeof value === "object" && value !== null)
    return `{ ${Object.entries(value)
      .map(([name, one], at) => `${JSON.stringify(name)}: ${scriptValue(one, members[at] ?? "")}`)
      .join(", ")} }`;
  return /^u?int\d*\b/.test(type) ? bigText(value) : (JSON.stringify(value) ?? "undefined");
}

function isNumber(value: unknown): boolean {
  return typeof value === "number" || typeof value === "bigint" || /^0x[0-9a-f]+$/i.test(String(value));
}

function bigText(value: unknown): string {
  const text = String(value);
  return /^(?:-?\d+|0x[0-9a-f]+)$/i.test(text) ? `${text}n` : JSON.stringify(text);
}
