import { decodeBase64 } from "../api/base64.ts";
import { type BinaryReply, type SafetyHeaders, toBytes } from "../api/binary.ts";
import type { Api, ClientEvent } from "../api/call/client.ts";
import { ApiError } from "../api/errors/errors.ts";
import { type ImageHead, imageSize } from "../api/imageSize.ts";
import type { Table } from "../api/table.ts";

type Images = Api<Table>["images"];
type ImageInput<Row extends keyof Images> = Parameters<Images[Row]>[0];

/** One API call for a picture. */
export type ImageRequest =
  | { readonly mode: "generate"; readonly input: ImageInput<"generate"> }
  | { readonly mode: "edit"; readonly input: ImageInput<"edit"> }
  | { readonly mode: "combine"; readonly input: ImageInput<"multiEdit"> };

/** The response: a picture, or that its content is not allowed. */
export type PictureReply =
  | {
      readonly kind: "picture";
      readonly data: Uint8Array;
      readonly head: ImageHead;
      readonly isBlurred: boolean;
      readonly seed: number | undefined;
    }
  | { readonly kind: "blocked" };

interface PictureOptions {
  readonly signal: AbortSignal;
  /** In bytes; `total` is undefined if the service does not report it. */
  readonly onProgress: (received: number, total: number | undefined) => void;
}

/** Calls the service once. Throws ApiError. A request that may have been billed is not sent again. */
export async function requestPicture(
  api: Api<Table>,
  request: ImageRequest,
  { signal, onProgress }: PictureOptions,
): Promise<PictureReply> {
  if (request.mode === "generate") return generate(api, request.input, signal);
  const reply =
    request.mode === "edit"
      ? await api.images.edit(request.input, { signal })
      : await api.images.multiEdit(request.input, { signal });
  return readEdited(reply, onProgress);
}

async function generate(
  api: Api<Table>,
  input: Extract<ImageRequest, { mode: "generate" }>["input"],
  signal: AbortSignal,
): Promise<PictureReply> {
  let safety: SafetyHeaders | undefined;
  const observe = (event: ClientEvent) => {
    // Only the last response counts: an earlier one may have been a failed attempt in the other dialect.
    if (event.type === "exchange") safety = event.safety;
  };
  const { data } = await api.images.generate(input, { signal, observe });
  if (safety?.contentViolation) return { kind: "blocked" };
  const [item] = data;
  const bytes = decodeBase64(item?.b64_json ?? item?.url ?? "");
  return toPicture(bytes, safety?.blurred === true, item?.seed);
}

async function readEdited(
  reply: BinaryReply,
  onProgress: PictureOptions["onProgress"],
): Promise<PictureReply> {
  if (reply.safety.contentViolation) {
    reply.cancel();
    return { kind: "blocked" };
  }
  return toPicture(await toBytes(reply, { onProgress }), reply.safety.blurred);
}

function toPicture(data: Uint8Array | undefined, isBlurred: boolean, seed?: unknown): PictureReply {
  const head = data && imageSize(data);
  if (!data || !head) throw new ApiError("malformed-response", "the response contains no readable picture");
  return { kind: "picture", data, head, isBlurred, seed: typeof seed === "number" ? seed : undefined };
}
