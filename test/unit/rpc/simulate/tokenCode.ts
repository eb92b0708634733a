// Bytecode of tokens with the storage layouts of real ones, assembled here because no compiler is at hand.
import { keccak256, toHex } from "viem";

const opcodes: Readonly<Record<string, number>> = {
  STOP: 0x00,
  ADD: 0x01,
  MUL: 0x02,
  SUB: 0x03,
  DIV: 0x04,
  LT: 0x10,
  EQ: 0x14,
  ISZERO: 0x15,
  AND: 0x16,
  OR: 0x17,
  SHR: 0x1c,
  KECCAK256: 0x20,
  CALLER: 0x33,
  CALLDATALOAD: 0x35,
  CALLDATASIZE: 0x36,
  CALLDATACOPY: 0x37,
  RETURNDATASIZE: 0x3d,
  RETURNDATACOPY: 0x3e,
  POP: 0x50,
  MLOAD: 0x51,
  MSTORE: 0x52,
  SLOAD: 0x54,
  SSTORE: 0x55,
  JUMP: 0x56,
  JUMPI: 0x57,
  GAS: 0x5a,
  JUMPDEST: 0x5b,
  DUP1: 0x80,
  DUP2: 0x81,
  DUP3: 0x82,
  SWAP1: 0x90,
  SWAP2: 0x91,
  LOG3: 0xa3,
  RETURN: 0xf3,
  DELEGATECALL: 0xf4,
  STATICCALL: 0xfa,
  REVERT: 0xfd,
};

/** Words of assembly: opcodes, `:label`, `@label`, and numbers or hex, which are pushed. */
function assemble(source: string): string {
  const words = source.trim().split(/\s+/);
  const sizeOf = (word: string) =>
    word.startsWith(":") || word in opcodes ? 1 : word.startsWith("@") ? 3 : 1 + pushed(word).length / 2;
  const labels = new Map<string, number>();
  let at = 0;
  for (const word of words) {
    if (word.startsWith(":")) labels.set(word.slice(1), at);
    at += sizeOf(word);
  }
  const byte = (value: number) => value.toString(16).padStart(2, "0");
  const code = words.map((word) => {
    if (word.startsWith(":")) return byte(0x5b);
    const opcode = opcodes[word];
    if (opcode !== undefined) return byte(opcode);
    if (word.startsWith("@")) return `61${(labels.get(word.slice(1)) ?? -1).toString(16).padStart(4, "0")}`;
    const digits = pushed(word);
    return `${byte(0x5f + digits.length / 2)}${digits}`;
  });
  return `0x${code.join("")}`;
}

function pushed(word: string): string {
  const digits = BigInt(word).toString(16);
  return digits.padStart(digits.length + (digits.length % 2), "0");
}

/** The slot of the account on the stack, by the layout of the mapping. */
export const layouts = {
  /** `mapping(address => uint256)` of Solidity at a position. */
  solidity: (position: number | string) => `0 MSTORE ${position} 32 MSTORE 64 0 KECCAK256`,
  /** `HashMap[address, uint256]` of Vyper. */
  vyper: (position: number) => `32 MSTORE ${position} 0 MSTORE 64 0 KECCAK256`,
  /** Solady's ERC20: a seed behind the address, without a position. */
  solady: () => "0x87a211a2 12 MSTORE 0 MSTORE 32 12 KECCAK256",
} as const;

const transferTopic = keccak256(toHex("Transfer(address,address,uint256)"));

export interface TokenShape {
  /** Replaces the account on the stack by the slot of its balance. */
  readonly slot: string;
  /** Replaces the word of that slot by the balance. Nothing for a plain one. */
  readonly read?: string;
  readonly symbol?: string;
  readonly decimals?: number;
}

/** An ERC-20 token with `balanceOf`, `transfer`, `symbol` and `decimals`. */
export function tokenCode({ slot, read = "", symbol = "USDC", decimals = 6 }: TokenShape): string {
  const text = `0x${Buffer.from(symbol).toString("hex").padEnd(64, "0")}`;
  const balance = `${slot} SLOAD ${read}`;
  return assemble(`
    0 CALLDATALOAD 224 SHR
    DUP1 0x70a08231 EQ @balance JUMPI
    DUP1 0xa9059cbb EQ @transfer JUMPI
    DUP1 0x95d89b41 EQ @symbol JUMPI
    DUP1 0x313ce567 EQ @decimals JUMPI
    0 DUP1 REVERT
    :balance 4 CALLDATALOAD ${balance} 0 MSTORE 32 0 RETURN
    :symbol 32 0 MSTORE ${symbol.length} 32 MSTORE ${text} 64 MSTORE 96 0 RETURN
    :decimals ${decimals} 0 MSTORE 32 0 RETURN
    :transfer
      36 CALLDATALOAD CALLER ${balance} LT @poor JUMPI
      CALLER ${slot} DUP1 SLOAD 36 CALLDATALOAD SWAP1 SUB SWAP1 SSTORE
      4 CALLDATALOAD ${slot} DUP1 SLOAD 36 CALLDATALOAD ADD SWAP1 SSTORE
      36 CALLDATALOAD 0 MSTORE 4 CALLDATALOAD CALLER ${transferTopic} 32 0 LOG3
      1 0 MSTORE 32 0 RETURN
    :poor 0 DUP1 REVERT`);
}

/** The slot of EIP-1967 with the address of the implementation. */
export const implementationSlot = "0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc";

/** A proxy: its storage is changed by the code of another contract. */
export function proxyCode(): string {
  return assemble(`
    CALLDATASIZE 0 0 CALLDATACOPY
    0 0 CALLDATASIZE 0 ${implementationSlot} SLOAD GAS DELEGATECALL
    RETURNDATASIZE 0 0 RETURNDATACOPY
    @fine JUMPI RETURNDATASIZE 0 REVERT
    :fine RETURNDATASIZE 0 RETURN`);
}

/** A token whose balances are in another contract, which is a token itself. */
export function frontCode(store: string, symbol: string): string {
  const text = `0x${Buffer.from(symbol).toString("hex").padEnd(64, "0")}`;
  return assemble(`
    0 CALLDATALOAD 224 SHR
    DUP1 0x95d89b41 EQ @symbol JUMPI
    CALLDATASIZE 0 0 CALLDATACOPY
    32 0 CALLDATASIZE 0 ${store} GAS STATICCALL
    @fine JUMPI 0 DUP1 REVERT
    :fine 32 0 RETURN
    :symbol 32 0 MSTORE ${symbol.length} 32 MSTORE ${text} 64 MSTORE 96 0 RETURN`);
}
