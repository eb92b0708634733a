/**
 * The code of a small ERC-20 with 18 decimals, an account's tokens at the storage slot of its address and their sum at
 * slot 0; `transfer` alone moves them. Assembled by hand: a compiler for one contract would weigh more than it.
 */
export const tokenCode = [
  "0x5f3560e01c", // the selector
  "806370a0823114603157", // balanceOf(address)
  "8063a9059cbb14604957", // transfer(address,uint256)
  "806318160ddd14603d57", // totalSupply()
  "8063313ce56714604357", // decimals()
  "5b5f5ffd", // 2d: revert
  "5b60043554", // 31: what the slot of the first input holds,
  "5b5f5260205ff3", // 36: is returned
  "5b5f54603656", // 3d: so is slot 0,
  "5b6012603656", // 43: or 18
  "5b6024353354818110602d57", // 49: a sender who has less reverts
  "8190033355", // the sender has so much less,
  "600435805482018155", // the receiver more,
  // and a Transfer says so
  "905f52337fddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef60205fa3",
  "6001603656", // true
].join("");
