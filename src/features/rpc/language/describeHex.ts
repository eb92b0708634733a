import { scaled } from "../../../shared/rpc/scaled.ts";

/** What hex digits may mean: the first line says what they are, the others how else they can be read. */
export function describeHex(text: string, checksummed?: (address: string) => string | undefined): string[] {
  const digits = text.slice(2);
  if (!/^[0-9a-fA-F]*$/.test(digits)) return [`\`${text}\` is no hex`];
  if (digits.length === 40) {
    const sum = checksummed?.(text);
    const isMixed = /[a-f]/.test(digits) && /[A-F]/.test(digits);
    const complaint =
      sum && isMixed && sum !== text ? [`**The checksum is wrong**: \`${sum}\` would be right.`] : [];
    return ["Address", ...(sum ? [`With checksum: \`${sum}\``] : []), ...complaint];
  }
  if (digits.length === 64) return ["32 bytes: a hash, a topic or a slot", ...numberLines(digits, true)];
  if (digits.length > 64) return [`${Math.ceil(digits.length / 2)} bytes of data${selector(digits)}`];
  return ["Number", ...numberLines(digits, false)];
}

function selector(digits: string): string {
  return digits.length % 64 === 8 ? `; as calldata its selector is \`0x${digits.slice(0, 8)}\`` : "";
}

function numberLines(digits: string, isWord: boolean): string[] {
  if (digits === "") return [];
  const value = BigInt(`0x${digits}`);
  // A whole word of random digits is a hash.
  if (isWord && value >= 1n << 128n) return [];
  const lines = [`${value.toLocaleString("en-US")}`];
  if (value >= 1_000_000n) lines.push(`${scaled(value, 9)} gwei, ${scaled(value, 18)} ether`);
  const date = dateOf(value);
  return date ? [...lines, `As a time: ${date}`] : lines;
}

/** Unix seconds since the first block chain, up to 2100. */
function dateOf(value: bigint): string | undefined {
  if (value < 1_230_000_000n || value > 4_102_444_800n) return undefined;
  return new Date(Number(value) * 1000).toISOString().replace(".000Z", "Z");
}
