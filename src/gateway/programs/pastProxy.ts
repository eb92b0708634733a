/** An entry of `NO_PROXY`. */
const loopback = "127.0.0.1";

/**
 * Variables with which a program reaches the gateway itself where these set a proxy: most programs send requests to this
 * machine to it, too, and it knows neither the address nor the token.
 */
export function pastProxy({ NO_PROXY, no_proxy }: NodeJS.ProcessEnv): Readonly<Record<string, string>> {
  const others = (NO_PROXY || no_proxy || "").split(",").map((entry) => entry.trim());
  const value = [...others.filter((entry) => entry !== "" && entry !== loopback), loopback].join(",");
  // Some programs read only one of these names.
  return { NO_PROXY: value, no_proxy: value };
}
