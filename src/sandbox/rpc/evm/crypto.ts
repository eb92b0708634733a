/** The parts of viem that the sandbox uses. They are loaded with the first chain that needs them. */
export {
  getContractAddress,
  keccak256,
  parseTransaction,
  recoverTransactionAddress,
  type TransactionSerialized,
} from "viem";
