import { getAddress, type Hex, keccak256, slice } from "viem";

// The curve secp256k1 (SEC 2, 2.4.1). The inputs are public, so the code need not run in constant time. The library's
// implementation would make the bundle larger by half.
const p = 2n ** 256n - 2n ** 32n - 977n;
const n = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
const generator: Point = {
  x: 0x79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798n,
  y: 0x483ada7726a3c4655da4fbfc0e1108a8fd17b448a68554199c47d08ffb10d4b8n,
  z: 1n,
};

/** In Jacobian coordinates: the affine point is (x / z², y / z³), so that only the result needs an inverse. */
interface Point {
  readonly x: bigint;
  readonly y: bigint;
  readonly z: bigint;
}

export interface EcdsaSignature {
  readonly r: bigint;
  readonly s: bigint;
  readonly yParity: number;
}

/** The address whose key signed this hash (SEC 1, 4.1.6); undefined if the signature is invalid. */
export function recoverSigner(hash: Hex, { r, s, yParity }: EcdsaSignature): string | undefined {
  if (r <= 0n || r >= n || s <= 0n || s >= n || (yParity !== 0 && yParity !== 1)) return undefined;
  const square = mod(r ** 3n + 7n, p);
  const root = power(square, (p + 1n) / 4n);
  if (mod(root * root, p) !== square) return undefined;
  const y = (root & 1n) === BigInt(yParity) ? root : p - root;
  const inverse = invert(r, n);
  const z = mod(BigInt(hash), n);
  const key = sumOfProducts({ x: r, y, z: 1n }, mod(s * inverse, n), mod(-z * inverse, n));
  if (!key) return undefined;
  const byZ = invert(key.z, p);
  const affine = [mod(key.x * byZ ** 2n, p), mod(key.y * byZ ** 3n, p)];
  const bytes = affine.map((part) => part.toString(16).padStart(64, "0")).join("");
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
  const [aa, bb] = [mod(a.z * a.z, p), mod(b.z * b.z, p)];
  const [u, s] = [mod(a.x * bb, p), mod(a.y * b.z * bb, p)];
  const [h, slope] = [mod(b.x * aa - u, p), mod(b.y * a.z * aa - s, p)];
  if (h === 0n) return slope === 0n ? double(a) : undefined;
  const hh = mod(h * h, p);
  const hhh = mod(hh * h, p);
  const x = mod(slope * slope - hhh - 2n * u * hh, p);
  return { x, y: mod(slope * (u * hh - x) - s * hhh, p), z: mod(a.z * b.z * h, p) };
}

/** The group has an odd order, so that no point has y = 0. */
function double({ x, y, z }: Point): Point {
  const yy = mod(y * y, p);
  const [product, slope] = [mod(4n * x * yy, p), mod(3n * x * x, p)];
  const to = mod(slope * slope - 2n * product, p);
  return { x: to, y: mod(slope * (product - to) - 8n * yy * yy, p), z: mod(2n * y * z, p) };
}

/** `point` times `count`, plus the generator times `ofGenerator`, bit by bit from the highest. */
function sumOfProducts(point: Point, count: bigint, ofGenerator: bigint): Point | undefined {
  const both = add(point, generator);
  const choices = [undefined, point, generator, both];
  let sum: Point | undefined;
  for (let bit = 255n; bit >= 0n; bit--) {
    const chosen = Number((count >> bit) & 1n) + 2 * Number((ofGenerator >> bit) & 1n);
    sum = add(sum && double(sum), choices[chosen]);
  }
  return sum;
}
