/** All that the sandbox takes of viem, in one place: it is loaded with the first chain that needs it. */
export {
  getContractAddress,
  keccak256,
  parseTransaction,
  recoverTransactionAddress,
  type TransactionSerialized,
} from "viem";
