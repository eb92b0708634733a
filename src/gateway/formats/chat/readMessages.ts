import { isMembers, type Members } from "../../../shared/members.ts";
import type { BodyIssues } from "../bodyValue.ts";

/** Parts other than text, which only a user's message of the service has. */
const shownTypes: ReadonlySet<unknown> = new Set(["image_url", "file", "input_audio", "video_url"]);

/**
 * The messages with the members that the chat route has. Clients send answers back as they got them, set cache points at
 * messages, and give tools' results as parts. What is no message is left for the schema to refuse.
 */
export function readMessages(messages: unknown, issues: BodyIssues): unknown {
  if (!Array.isArray(messages)) return messages;
  const read: unknown[] = [];
  /** What tools have returned beside text, for the user's message after the last result. */
  let shown: unknown[] = [];
  const show = () => {
    if (shown.length > 0) read.push({ role: "user", content: shown });
    shown = [];
  };
  for (const [index, message] of messages.entries()) {
    const cleaned = isMembers(message) ? readMessage(message, `messages.${index}`, issues) : message;
    if (isMembers(cleaned) && cleaned.role === "tool") {
      const { result, others } = readResult(cleaned);
      read.push(result);
      shown.push(...others);
    } else {
      show();
      read.push(cleaned);
    }
  }
  show();
  return read;
}

function readMessage(message: Members, path: string, issues: BodyIssues): Members {
  const { content: given, cache_control: point, ...members } = withoutNulls(message, ["content"]);
  const content = readContent(given, `${path}.content`, issues);
  if (message.role === "assistant") return readAnswer(members, content);
  return { ...members, ...(content === undefined ? {} : { content: withPoint(content, point) }) };
}

/** An answer as it was got, with other names of the reasoning, and lists that are empty. */
function readAnswer(answer: Members, content: unknown): Members {
  // What an answer had beside its text is not read by a model.
  const { reasoning, refusal, annotations: _, tool_calls: calls, ...members } = answer;
  const hasCalls = !Array.isArray(calls) || calls.length > 0;
  // A refusal is what the assistant said.
  const said = refusal === undefined ? content : (content ?? refusal);
  return {
    ...members,
    ...(said === undefined ? {} : { content: said }),
    ...(calls === undefined || !hasCalls ? {} : { tool_calls: calls }),
    ...(reasoning === undefined || members.reasoning_content ? {} : { reasoning_content: reasoning }),
  };
}

/** The service takes only a text as a tool's result. Other parts follow in a user's message. */
function readResult(message: Members): { readonly result: Members; readonly others: readonly unknown[] } {
  const { content, tool_call_id: id } = message;
  if (!Array.isArray(content)) return { result: message, others: [] };
  const others = content.filter((part) => isMembers(part) && shownTypes.has(part.type));
  const texts = content.flatMap((part) => (isText(part) ? [part.text] : []));
  if (others.length + texts.length < content.length) return { result: message, others: [] };
  const text = texts.length === 0 ? "The result is in the next message." : texts.join("\n");
  const heading = others.length > 0 ? [{ type: "text", text: `Of the tool result ${String(id)}:` }] : [];
  return { result: { ...message, content: text }, others: [...heading, ...others] };
}

function isText(part: unknown): part is { readonly text: string } {
  return isMembers(part) && part.type === "text" && typeof part.text === "string";
}

/** Some clients send an empty text beside a picture, which the public service refuses. */
function readContent(content: unknown, path: string, issues: BodyIssues): unknown {
  if (!Array.isArray(content)) return content;
  const parts = content.map((part, index) =>
    isMembers(part) ? readPart(withoutNulls(part), `${path}.${index}`, issues) : part,
  );
  const said = parts.filter((part) => !(isMembers(part) && part.type === "text" && part.text === ""));
  return said.length > 0 ? said : "";
}

function readPart(part: Members, path: string, issues: BodyIssues): Members {
  const { type, refusal, image_url: image, file } = part;
  if (type === "refusal") return { type: "text", text: refusal };
  if (type === "image_url" && isMembers(image)) {
    const { detail = "auto", ...others } = withoutNulls(image);
    if (detail !== "auto" && detail !== "high")
      issues.add({
        field: `${path}.image_url.detail`,
        message: "must be auto or high: the service has no smaller picture",
      });
    return { ...part, image_url: others };
  }
  if (type === "file" && isMembers(file)) {
    const { file_id: id, ...others } = withoutNulls(file);
    if (id !== undefined)
      issues.add({
        field: `${path}.file.file_id`,
        message: "can't be used, because this address stores no files. Send the content itself",
      });
    return { ...part, file: others };
  }
  if (type !== "text" && !shownTypes.has(type))
    issues.add({
      field: `${path}.type`,
      message: "must be text, image_url, input_audio, video_url or file, which are the parts of this service",
    });
  return part;
}

/** A cache point of a message is one of its last part. */
function withPoint(content: unknown, point: unknown): unknown {
  if (point === undefined || content === "" || content === null) return content;
  const parts: readonly unknown[] = Array.isArray(content) ? content : [{ type: "text", text: content }];
  return parts.map((part, index) =>
    isMembers(part) && index === parts.length - 1 ? { cache_control: point, ...part } : part,
  );
}

/** Null is as good as absent, but at the named members. */
export function withoutNulls(members: Members, kept: readonly string[] = []): Members {
  return Object.fromEntries(
    Object.entries(members).filter(([name, value]) => value !== null || kept.includes(name)),
  );
}
