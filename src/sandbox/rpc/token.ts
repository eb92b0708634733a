/** Where the chains of the sandbox have their one token: an address that notebooks know from the main network. */
export const tokenAddress = "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2";
