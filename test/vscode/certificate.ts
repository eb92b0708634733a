import { createPrivateKey, generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto";
import { isIP } from "node:net";

/** A certificate and its private key, both as PEM. */
export interface KeyPair {
  readonly cert: string;
  readonly key: string;
}

/** A private certificate authority, valid for a day, like a company's own CA. */
export function createAuthority(name: string): KeyPair {
  const { publicKey, privateKey } = newKey();
  return toPem(name, name, publicKey, privateKey, privateKey, [
    extension("2.5.29.19", true, sequence(tlv(0x01, Buffer.of(0xff)))), // basic constraints: CA
  ]);
}

/** A server certificate for host names and addresses, signed by the authority and valid for a day. */
export function issueCertificate(
  authority: KeyPair,
  authorityName: string,
  hosts: readonly string[],
): KeyPair {
  const { publicKey, privateKey } = newKey();
  const names = hosts.map((host) =>
    isIP(host) ? tlv(0x87, Buffer.from(host.split(".").map(Number))) : tlv(0x82, Buffer.from(host)),
  );
  return toPem(authorityName, hosts[0] ?? "", publicKey, privateKey, createPrivateKey(authority.key), [
    extension("2.5.29.17", false, sequence(...names)), // subject alternative names
  ]);
}

const ecdsaWithSha256 = "1.2.840.10045.4.3.2";
const commonName = "2.5.4.3";

function newKey() {
  return generateKeyPairSync("ec", { namedCurve: "P-256" });
}

/** RFC 5280, section 4.1: a version 3 certificate in DER, signed by the issuer. */
function toPem(
  issuer: string,
  subject: string,
  publicKey: KeyObject,
  privateKey: KeyObject,
  issuerKey: KeyObject,
  extensions: Buffer[],
): KeyPair {
  const hour = 3_600_000;
  const signed = sequence(
    tlv(0xa0, integer(Buffer.of(2))),
    integer(Buffer.concat([Buffer.of(1), randomBytes(15)])),
    sequence(oid(ecdsaWithSha256)),
    distinguishedName(issuer),
    sequence(utcTime(Date.now() - hour), utcTime(Date.now() + 24 * hour)),
    distinguishedName(subject),
    publicKey.export({ type: "spki", format: "der" }),
    tlv(0xa3, sequence(...extensions)),
  );
  const der = sequence(signed, sequence(oid(ecdsaWithSha256)), bitString(sign("sha256", signed, issuerKey)));
  const lines = der.toString("base64").replace(/.{64}/g, "$&\n");
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
  };
}

/** DER: tag, length, value. */
function tlv(tag: number, ...parts: Buffer[]): Buffer {
  const value = Buffer.concat(parts);
  const size = value.length;
  const length = size < 0x80 ? [size] : size < 0x100 ? [0x81, size] : [0x82, size >> 8, size & 0xff];
  return Buffer.concat([Buffer.of(tag, ...length), value]);
}

function sequence(...parts: Buffer[]): Buffer {
  return tlv(0x30, ...parts);
}

function integer(value: Buffer): Buffer {
  return tlv(0x02, value);
}

function bitString(value: Buffer): Buffer {
  return tlv(0x03, Buffer.of(0), value);
}

function utcTime(ms: number): Buffer {
  const digits = new Date(ms).toISOString().replace(/\D/g, "").slice(2, 14);
  return tlv(0x17, Buffer.from(`${digits}Z`));
}

function distinguishedName(name: string): Buffer {
  return sequence(tlv(0x31, sequence(oid(commonName), tlv(0x0c, Buffer.from(name)))));
}

function extension(id: string, critical: boolean, value: Buffer): Buffer {
  return sequence(oid(id), ...(critical ? [tlv(0x01, Buffer.of(0xff))] : []), tlv(0x04, value));
}

function oid(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split(".").map(Number);
  return tlv(0x06, Buffer.from([first * 40 + second, ...rest.flatMap(base128)]));
}

function base128(value: number): number[] {
  const digits = [value & 0x7f];
  for (let left = value >> 7; left > 0; left >>= 7) digits.unshift((left & 0x7f) | 0x80);
  return digits;
}
