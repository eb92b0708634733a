import { scaled } from "../../../shared/rpc/scaled.ts";

/** Possible meanings of hex digits: the first line is the type, the others are further interpretations. */
export function describeHex(text: string, checksummed?: (address: string) => string | undefined): string[] {
  const digits = text.slice(2);
  if (!/^[0-9a-fA-F]*$/.test(digits)) return [`\`${text}\` is not hex`];
  if (digits.length === 40) {
    const sum = checksummed?.(text);
    const isMixed = /[a-f]/.test(digits) && /[A-F]/.test(digits);
    const complaint =
      sum && isMixed && sum !== text ? [`**The checksum is wrong**: \`${sum}\` is correct.`] : [];
    return ["Address", ...(sum ? [`With checksum: \`${sum}\``] : []), ...complaint];
  }
  if (digits.length === 64) return ["32 bytes (hash, topic or slot)", ...numberLines(digits, true)];
  if (digits.length > 64) return [`${Math.ceil(digits.length / 2)} bytes of data${selector(digits)}`];
  return ["Number", ...numberLines(digits, false)];
}

function selector(digits: string): string {
  return digits.length % 64 === 8 ? `; as calldata its selector is \`0x${digits.slice(0, 8)}\`` : "";
}

function numberLines(digits: string, isWord: boolean): string[] {
  if (digits === "") return [];
  const value = BigInt(`0x${digits}`);
  // A large 32-byte value is most likely a hash.
  if (isWord && value >= 1n << 128n) return [];
  const lines = [`${value.toLocaleString("en-US")}`];
  if (value >= 1_000_000n) lines.push(`${scaled(value, 9)} gwei, ${scaled(value, 18)} ether`);
  const date = dateOf(value);
  return date ? [...lines, `As a time: ${date}`] : lines;
}

/** Unix seconds from the first blockchain (2009) to 2100. */
function dateOf(value: bigint): string | undefined {
  if (value < 1_230_000_000n || value > 4_102_444_800n) return undefined;
  return new Date(Number(value) * 1000).toISOString().replace(".000Z", "Z");
}
