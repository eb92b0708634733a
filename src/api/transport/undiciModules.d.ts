// undici ships types only for its main module. These are the parts that undici.ts imports by file.
declare module "undici/lib/api/api-request.js" {
  import type { Dispatcher } from "undici";
  export default function request(
    this: Dispatcher,
    options: Dispatcher.RequestOptions,
  ): Promise<Dispatcher.ResponseData>;
}
declare module "undici/lib/api/api-connect.js" {
  const connect: import("undici").Dispatcher["connect"];
  export default connect;
}
declare module "undici/lib/dispatcher/agent.js" {
  const agent: typeof import("undici").Agent;
  export default agent;
}
declare module "undici/lib/core/errors.js" {
  const errors: typeof import("undici").errors;
  export default errors;
}
declare module "undici/lib/dispatcher/pool.js" {
  export { Pool as default } from "undici";
}
declare module "undici/lib/dispatcher/proxy-agent.js" {
  const proxyAgent: typeof import("undici").ProxyAgent;
  export default proxyAgent;
}
