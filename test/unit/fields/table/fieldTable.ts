import type { FieldTable, Place, RowPlaces } from "../place.ts";
import { type RowName, rowNames } from "../service.ts";
import { account, billing, keys, wallet } from "./account.ts";
import { chatReply, wholeReply } from "./chatReply.ts";
import { chatRequest, wholeRequest } from "./chatRequest.ts";
import { audio, embeddings, images, models } from "./media.ts";
import { augment, rpc } from "./web.ts";

/** Where in the interface each member of each row is set and shown, or why not. */
const fieldTable: FieldTable = {
  models,
  account,
  chat: {
    complete: { request: wholeRequest, reply: wholeReply },
    stream: {
      request: { ...chatRequest, "stream: true": { automatic: "answers are shown while they are written" } },
      reply: chatReply,
    },
  },
  keys,
  billing,
  rpc,
  images,
  audio,
  embeddings,
  augment,
  wallet,
};

export function placesOf(row: RowName): RowPlaces {
  const [resource = "", call = ""] = row.split(".");
  const all: Readonly<Record<string, Readonly<Record<string, RowPlaces>>>> = fieldTable;
  return all[resource]?.[call] ?? { request: {}, reply: {} };
}

/** A member of a row, and its place. */
export interface Placed {
  readonly row: RowName;
  readonly side: keyof RowPlaces;
  readonly path: string;
  readonly place: Place;
}

export const allPlaces: readonly Placed[] = rowNames.flatMap((row) =>
  Object.entries(placesOf(row)).flatMap(([side, places]: [string, RowPlaces["request"]]) =>
    Object.entries(places).map(([path, place]) => ({ row, side: side as keyof RowPlaces, path, place })),
  ),
);
