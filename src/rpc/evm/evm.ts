// Everything that needs viem, in a separate bundle that is loaded on first use.
import { getAddress } from "viem";
import {
  decodeBatch,
  decodeResolve,
  decodeReverse,
  decodeToken,
  encodeBatch,
  encodeResolve,
  encodeReverse,
  encodeToken,
} from "./batchCalls.ts";
import { readAuthorization } from "./decode/authorization.ts";
import { decodeCalldata, decodeCallResult, decodeLog, decodeRevert } from "./decode/decode.ts";
import { readCall, readSender, readTransaction } from "./decode/transaction.ts";
import { encoding } from "./encode.ts";

export type { Log } from "./decode/decode.ts";
export type { RawTransaction } from "./decode/transaction.ts";

export const evm = {
  ...encoding,
  decodeCalldata,
  decodeCallResult,
  decodeLog,
  decodeRevert,
  decodeBatch,
  decodeResolve,
  decodeReverse,
  decodeToken,
  encodeBatch,
  encodeResolve,
  encodeReverse,
  encodeToken,
  readAuthorization,
  readCall,
  readSender,
  readTransaction,
  /** The address with its EIP-55 checksum; undefined for other text. */
  checksummed(address: string): string | undefined {
    return /^0x[0-9a-f]{40}$/i.test(address) ? getAddress(address.toLowerCase()) : undefined;
  },
} as const;
export type Evm = typeof evm;
