/** The address of the token on all chains. Notebooks use this address on the main network, too. */
export const tokenAddress = "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2";
