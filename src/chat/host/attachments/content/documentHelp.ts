import { isApiError } from "../../../../api/errors/errors.ts";
import { documentWords, isLockedDocument } from "../../../../platform/documentWords.ts";
import type { Attachment } from "../../../../shared/chat/chatAttachments.ts";
import type { Explanation } from "../../../../shared/errorActions.ts";
import { augmentationUsd } from "../../../../shared/money/augmentationUsd.ts";
import { formatUsd } from "../../../../shared/money/formatUsd.ts";

const enterPassword = "Enter Password…";

interface RefusedQuestion {
  readonly attachments: readonly Attachment[];
  readonly service: string;
  readonly isPlayMoney: boolean;
}

/** The statuses with which services refuse a kind of content. */
const refusals: ReadonlySet<number> = new Set([400, 404, 415, 422, 500, 501]);
/** How services name it: `file`, `input_file`, `file_data`, `document`, `Invalid content type`, `messages[0].content[1].type`. */
const aboutFiles =
  /\b(input_)?file(s|_data|_url)?\b|\bdocuments?\b|\bpdf\b|\bcontent\b.{0,60}\b(part|type)s?\b|\bmodalit/i;

/** The explanation of a refused question with a document that was sent as a file: as text it would be accepted. */
export function withDocumentHelp(
  explanation: Explanation,
  error: unknown,
  { attachments, service, isPlayMoney }: RefusedQuestion,
): Explanation {
  const files = attachments.filter(({ kind, way }) => kind === "document" && way !== "text");
  const [first] = files;
  if (!first || !isApiError(error) || !refusals.has(error.details.status ?? 0)) return explanation;
  const unreadable = files.length === 1 ? documentWords(first.name, error) : undefined;
  if (unreadable !== undefined && isLockedDocument(error)) {
    // As text it is read on this machine, which asks for the password.
    const actions = [{ id: "sendAsText" as const, label: enterPassword }, ...explanation.actions];
    return { ...explanation, sentence: unreadable, actions };
  }
  if (unreadable !== undefined) return { ...explanation, sentence: unreadable };
  const said = [error.message, ...(error.details.issues ?? []).map(({ message }) => message)].join(" ");
  if (!aboutFiles.test(said)) return explanation;
  const usd = files.filter(({ textBlob }) => textBlob === undefined).length * augmentationUsd;
  const price = usd === 0 ? "" : ` · ${formatUsd(usd, isPlayMoney)}`;
  const subject = files.length === 1 ? first.name : `${files.length} documents`;
  const extraction = usd === 0 ? "" : ": the service extracts it first";
  const sentence = `${service} did not accept ${subject} as ${files.length === 1 ? "a file" : "files"} for this model. Send ${files.length === 1 ? "it" : "them"} as text${extraction}.`;
  return {
    ...explanation,
    sentence,
    actions: [{ id: "sendAsText", label: `Send as Text${price}` }, ...explanation.actions],
  };
}
