import { isList, isObject, type JsonObject } from "./json.ts";
import type { Json } from "./rpcOutput.ts";

/** An authorization of a transaction, and the hash of the transaction as far as it is known. */
export interface ListedAuthorization {
  readonly authorization: JsonObject;
  readonly hash: Json | undefined;
}

/** The authorizations (EIP-7702) of a transaction, or of all transactions of a block, in their order. */
export function authorizationsIn(value: Json): readonly ListedAuthorization[] {
  if (!isObject(value)) return [];
  const { transactions } = value;
  const blocks = isList(transactions) ? transactions.filter(isObject) : [];
  return [value, ...blocks].flatMap(({ authorizationList, hash }) =>
    isList(authorizationList)
      ? authorizationList.filter(isObject).map((authorization) => ({ authorization, hash }))
      : [],
  );
}
