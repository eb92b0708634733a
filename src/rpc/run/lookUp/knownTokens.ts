/** The unit of the amounts of an ERC-20 token. */
export interface TokenUnit {
  /** Short text without control characters. */
  readonly symbol: string;
  readonly decimals: number;
}

/** Networks, and their tokens: address, symbol, and decimals unless 18. */
const table = `
ethereum-mainnet
0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48 USDC 6
0xdAC17F958D2ee523a2206206994597C13D831ec7 USDT 6
0x6B175474E89094C44Da98b954EedeAC495271d0F DAI
0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2 WETH
0x2260FAC5E5542a773Aa44fBCfeDf7C193bc2C599 WBTC 8
0xae7ab96520DE3A18E5e111B5EaAb095312D7fE84 stETH
0x7f39C581F595B53c5cb19bD0b3f8dA6c935E2Ca0 wstETH
0x514910771AF9Ca656af840dff83E8264EcF986CA LINK
0x1f9840a85d5aF5bf1D1762F925BDADdC4201F984 UNI
ethereum-sepolia
0x1c7D4B196Cb0C7B01d743Fbc6116a902379C7238 USDC 6
base-mainnet
0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913 USDC 6
0x4200000000000000000000000000000000000006 WETH
base-sepolia
0x036CbD53842c5426634e7929541eC2318f3dCF7e USDC 6
0x4200000000000000000000000000000000000006 WETH
optimism-mainnet
0x0b2C639c533813f4Aa9D7837CAf62653d097Ff85 USDC 6
0x94b008aA00579c1307B0EF2c499aD98a8ce58e58 USDT 6
0x4200000000000000000000000000000000000006 WETH
arbitrum-mainnet
0xaf88d065e77c8cC2239327C5EDb3A432268e5831 USDC 6
0xFd086bC7CD5C481DCC9C85ebE478A1C0b69FCbb9 USDT 6
0x82aF49447D8a07e3bd95BD0d56f35241523fBab1 WETH
polygon-mainnet
0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359 USDC 6
0xc2132D05D31c914a87C6611C10748AEb04B58e8F USDT 6
0x7ceB23fD6bC0adD59E62ac25578270cFf1b9f619 WETH
avalanche-mainnet
0xB97EF9Ef8734C71904D8002F8b6Bc66Dd9c48a6E USDC 6
0x9702230A8Ea53601f5cD2dc00fDBc13d4dF4A8c7 USDt 6
0xB31f66AA3C1e785363F0875A1B74E27b85FD66c7 WAVAX
bsc-mainnet
0x55d398326f99059fF775485246999027B3197955 USDT
0x8AC76a51cc950d9822D68b83fE1Ad97B32Cd580d USDC
0xbb4CdB9CBd36B01bD1cBaEBF2De08d9173bc095c WBNB
linea-mainnet
0x176211869cA2b568f2A7D4EE941E073a821EE1ff USDC 6
0xe5D7C2a44FfDDf6b295A15c148167daaAf5Cf34f WETH
sandbox
0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2 SUSD 6
`;

const tokens: ReadonlyMap<string, TokenUnit> = new Map(
  table
    .trim()
    .split(/\n(?=\w+(?:-\w+)?\n)/)
    .flatMap((part) => {
      const [network, ...rows] = part.split("\n");
      return rows.map((row) => {
        const [address = "", symbol = "", decimals = "18"] = row.split(" ");
        return [`${network} ${address.toLowerCase()}`, { symbol, decimals: Number(decimals) }] as const;
      });
    }),
);

/** A widely used token of a network, or of the sandbox, whose chains have one token of their own. */
export function knownToken(network: string, address: string, isSandbox: boolean): TokenUnit | undefined {
  return tokens.get(`${isSandbox ? "sandbox" : network} ${address.toLowerCase()}`);
}

/**
 * The address of a widely used token of a network by its symbol, else of the sandbox's own token, whose chains have the
 * names of real ones.
 */
export function tokenAddress(network: string, symbol: string): string | undefined {
  for (const chain of [network, "sandbox"])
    for (const [key, token] of tokens)
      if (key.startsWith(`${chain} `) && token.symbol.toUpperCase() === symbol.toUpperCase())
        return key.slice(chain.length + 1);
  return undefined;
}

/** True for the symbols of widely used tokens, which a fake token may copy. */
export function isKnownSymbol(symbol: string): boolean {
  return knownSymbols.has(symbol.toUpperCase());
}

const knownSymbols: ReadonlySet<string> = new Set(
  [...tokens.values()].map(({ symbol }) => symbol.toUpperCase()),
);
