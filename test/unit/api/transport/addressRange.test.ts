// Ranges of IP addresses, as lists of hosts without a proxy name them.
import assert from "node:assert/strict";
import { test } from "node:test";
import { isInRange } from "../../../../src/api/transport/addressRange.ts";

const cases: readonly (readonly [hostname: string, range: string, isIn: boolean])[] = [
  ["10.1.2.3", "10.0.0.0/8", true],
  ["11.1.2.3", "10.0.0.0/8", false],
  ["10.1.2.3", "10.1.2.3", true],
  ["192.168.1.127", "192.168.1.64/26", true],
  ["192.168.1.128", "192.168.1.64/26", false],
  ["8.8.8.8", "0.0.0.0/0", true],
  ["10.1.2.3", "10.0.0.0/33", false],
  ["10.1.2.3", "10.0.0.0/", false],
  ["10.1.2.3", "10.0.0.0/-1", false],
  ["10.1.2.3", "10/8", false],
  ["[fd00::12]", "fd00::/8", true],
  ["[fd00::12]", "[fd00::]/8", true],
  ["[fd00::12]", "[fd00::12]", true],
  ["[fd00::12]", "fe80::/10", false],
  ["[fd00::12]", "10.0.0.0/8", false],
  ["10.api.example", "10.0.0.0/8", false],
];

for (const [hostname, range, isIn] of cases)
  test(`${range} ${isIn ? "has" : "does not have"} ${hostname}`, () => {
    assert.equal(isInRange(hostname, range), isIn);
  });
