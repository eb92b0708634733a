/** Events that most contracts of their kind have: ERC-20, 721, 1155, 4626, wrapped coins, pools, proxies, ownership. */
export const knownEvents = [
  "Transfer(address from, address to, uint256 value)",
  "Approval(address owner, address spender, uint256 value)",
  "ApprovalForAll(address owner, address operator, bool approved)",
  "TransferSingle(address operator, address from, address to, uint256 id, uint256 value)",
  "TransferBatch(address operator, address from, address to, uint256[] ids, uint256[] values)",
  "Deposit(address sender, address owner, uint256 assets, uint256 shares)",
  "Withdraw(address sender, address receiver, address owner, uint256 assets, uint256 shares)",
  "Deposit(address to, uint256 amount)",
  "Withdrawal(address from, uint256 amount)",
  "Sync(uint112 reserve0, uint112 reserve1)",
  "Swap(address indexed sender, uint256 amount0In, uint256 amount1In, uint256 amount0Out, uint256 amount1Out, address indexed to)",
  "Swap(address indexed sender, address indexed recipient, int256 amount0, int256 amount1, uint160 sqrtPriceX96, uint128 liquidity, int24 tick)",
  "Upgraded(address implementation)",
  "OwnershipTransferred(address previousOwner, address newOwner)",
] as const;

export const knownErrors = [
  "error Error(string reason)",
  "error Panic(uint256 code)",
  "error ERC20InsufficientBalance(address sender, uint256 balance, uint256 needed)",
  "error ERC20InsufficientAllowance(address spender, uint256 allowance, uint256 needed)",
  "error ERC20InvalidReceiver(address receiver)",
  "error ERC721NonexistentToken(uint256 tokenId)",
  "error ERC721InsufficientApproval(address operator, uint256 tokenId)",
  "error OwnableUnauthorizedAccount(address account)",
  "error AccessControlUnauthorizedAccount(address account, bytes32 role)",
  "error ReentrancyGuardReentrantCall()",
  "error EnforcedPause()",
  "error InsufficientBalance(uint256 balance, uint256 needed)",
] as const;
