// Values that cast computes without a node, as a line that names a constant.
import { units } from "../../language/parse/nodes.ts";

/** The line of such a command and the number of words that it uses; undefined for another one. */
export function castConstant(
  verb: string,
  [first = "", second = ""]: readonly string[],
): { readonly line: string; readonly takes: number } | undefined {
  switch (verb) {
    case "keccak":
      return given(first, `hash = keccak(${JSON.stringify(first)})`);
    case "sig-event":
      return given(first, `topic0 = topic(${JSON.stringify(first)})`);
    case "sig":
      return given(first, `hash = topic(${JSON.stringify(first)}) # its first 4 bytes are the selector`);
    case "from-utf8":
      return given(first, `bytes = str(${JSON.stringify(first)})`);
    case "to-hex":
      return /^\d+$/.test(first) ? { line: `value = hex(${first})`, takes: 1 } : undefined;
    case "to-dec":
    case "from-wei":
      return /^(?:\d+|0x[0-9a-f]+)$/i.test(first)
        ? { line: `value = ${BigInt(first)}`, takes: 1 }
        : undefined;
    case "to-wei":
      return weiOf(first, second);
    case "parse-units":
      return unitsOf(first, second || "18");
    case "max-uint":
      return limit(first, (bits) => 2n ** bits - 1n);
    case "max-int":
      return limit(first, (bits) => 2n ** (bits - 1n) - 1n);
    case "min-int":
      return limit(first, (bits) => -(2n ** (bits - 1n)));
    case "address-zero":
      return { line: `zero = 0x${"0".repeat(40)}`, takes: 0 };
    case "hash-zero":
      return { line: `zero = 0x${"0".repeat(64)}`, takes: 0 };
    default:
      return undefined;
  }
}

function given(text: string, line: string) {
  return text === "" ? undefined : { line, takes: 1 };
}

/** `to-wei 1.5`, `to-wei 1.5 gwei`, `to-wei 1.5gwei`. */
function weiOf(amount: string, unit: string) {
  const [, number, own] = /^(\d+(?:\.\d+)?)([a-z]*)$/i.exec(amount) ?? [];
  const named = (own || unit || "ether").toLowerCase();
  const meant = named === "eth" ? "ether" : named;
  if (number === undefined || !/^(?:wei|gwei|ether)$/.test(meant) || !Object.hasOwn(units, meant))
    return undefined;
  return { line: `value = ${number} ${meant}`, takes: own || unit === "" ? 1 : 2 };
}

function unitsOf(amount: string, decimals: string) {
  const [, whole = "", fraction = ""] = /^(\d+)(?:\.(\d+))?$/.exec(amount) ?? [];
  const count = /^\d{1,2}$/.test(decimals) ? Number(decimals) : -1;
  if (whole === "" || fraction.length > count) return undefined;
  return { line: `value = ${BigInt(`${whole}${fraction.padEnd(count, "0")}`)}`, takes: 2 };
}

/** The limit of a type by its number of bits: `128`, `uint128`; 256 if none is named. */
function limit(type: string, of: (bits: bigint) => bigint) {
  const bits = Number(/^(?:u?int)?(\d{1,3})$/.exec(type === "" ? "256" : type)?.[1] ?? 0);
  return bits >= 8 && bits <= 256 && bits % 8 === 0
    ? { line: `limit = ${of(BigInt(bits))}`, takes: type === "" ? 0 : 1 }
    : undefined;
}
