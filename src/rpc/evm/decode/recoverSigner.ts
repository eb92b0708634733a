import { getAddress, type Hex, keccak256, slice } from "viem";

// The curve secp256k1 (SEC 2, 2.4.1). The inputs are public, so the code need not run in constant time. The library's
// implementation would make the bundle larger by half.
const p = 2n ** 256n - 2n ** 32n - 977n;
const n = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
const generator: Point = {
  x: 0x79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798n,
  y: 0x483ada7726a3c4655da4fbfc0e1108a8fd17b448a68554199c47d08ffb10d4b8n,
};

interface Point {
  readonly x: bigint;
  readonly y: bigint;
}

export interface EcdsaSignature {
  readonly r: bigint;
  readonly s: bigint;
  readonly yParity: number;
}

/** The address whose key signed this hash (SEC 1, 4.1.6); undefined if the signature is invalid. */
export function recoverSigner(hash: Hex, { r, s, yParity }: EcdsaSignature): string | undefined {
  if (r <= 0n || r >= n || s <= 0n || s >= n) return undefined;
  const square = mod(r ** 3n + 7n, p);
  const root = power(square, (p + 1n) / 4n);
  if (mod(root * root, p) !== square) return undefined;
  const y = (root & 1n) === BigInt(yParity) ? root : p - root;
  const inverse = invert(r, n);
  const z = mod(BigInt(hash), n);
  const key = add(times({ x: r, y }, mod(s * inverse, n)), times(generator, mod(-z * inverse, n)));
  if (!key) return undefined;
  const bytes = [key.x, key.y].map((part) => part.toString(16).padStart(64, "0")).join("");
  return getAddress(slice(keccak256(`0x${bytes}`), 12));
}

function mod(value: bigint, by: bigint): bigint {
  const rest = value % by;
  return rest < 0n ? rest + by : rest;
}

function power(base: bigint, exponent: bigint): bigint {
  let result = 1n;
  for (let [square, left] = [base, exponent]; left > 0n; square = mod(square * square, p), left >>= 1n)
    if (left & 1n) result = mod(result * square, p);
  return result;
}

/** Euclid's extended algorithm. */
function invert(value: bigint, by: bigint): bigint {
  let [a, b, x, y] = [mod(value, by), by, 1n, 0n];
  while (a > 1n) {
    const quotient = b / a;
    [a, b, x, y] = [b - quotient * a, a, y - quotient * x, x];
  }
  return mod(x, by);
}

/** Undefined is the point at infinity. */
function add(a: Point | undefined, b: Point | undefined): Point | undefined {
  if (!a || !b) return a ?? b;
  if (a.x === b.x && mod(a.y + b.y, p) === 0n) return undefined;
  const slope = a.x === b.x ? 3n * a.x * a.x * invert(2n * a.y, p) : (b.y - a.y) * invert(b.x - a.x, p);
  const x = mod(slope * slope - a.x - b.x, p);
  return { x, y: mod(slope * (a.x - x) - a.y, p) };
}

function times(point: Point, count: bigint): Point | undefined {
  let sum: Point | undefined;
  for (
    let [double, left] = [point as Point | undefined, count];
    left > 0n;
    double = add(double, double), left >>= 1n
  )
    if (left & 1n) sum = add(sum, double);
  return sum;
}
