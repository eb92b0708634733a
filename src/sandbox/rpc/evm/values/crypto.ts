/** The parts of viem that the sandbox uses. They are loaded with the first chain or wallet that needs them. */
export {
  getContractAddress,
  keccak256,
  parseTransaction,
  recoverMessageAddress,
  recoverTransactionAddress,
  type TransactionSerialized,
} from "viem";
