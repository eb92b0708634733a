import * as z from "zod";

// The members that this client reads of the messages of an agent (Agent Client Protocol, version 1). Others are ignored.

export const protocolVersion = 1;

/** An answer, a request or a notification. */
export const RpcMessage = z.object({
  id: z.union([z.number(), z.string().max(200)]).optional(),
  method: z.string().max(200).optional(),
  params: z.unknown().optional(),
  result: z.unknown().optional(),
  error: z.object({ code: z.number(), message: z.string() }).optional(),
});
export type RpcMessage = z.infer<typeof RpcMessage>;

const maxIdLength = 500;
const id = z.string().min(1).max(maxIdLength);

export const Initialized = z.object({
  protocolVersion: z.number(),
  agentCapabilities: z
    .object({
      promptCapabilities: z.object({ image: z.boolean().catch(false) }).catch({ image: false }),
    })
    .catch({ promptCapabilities: { image: false } }),
});

export const NewSession = z.object({ sessionId: id });

const stopReasons = ["end_turn", "max_tokens", "max_turn_requests", "refusal", "cancelled"] as const;
export type StopReason = (typeof stopReasons)[number];
export const Prompted = z.object({ stopReason: z.enum(stopReasons) });

const Text = z.object({ type: z.literal("text"), text: z.string() });
/** Other contents are left out. */
const Chunk = z.union([Text, z.object({}).transform(() => ({ type: "other" as const, text: "" }))]);

const kinds = [
  "read",
  "edit",
  "delete",
  "move",
  "search",
  "execute",
  "think",
  "fetch",
  "switch_mode",
  "other",
] as const;
const statuses = ["pending", "in_progress", "completed", "failed"] as const;

const CallContent = z.union([
  z.object({ type: z.literal("content"), content: Chunk }),
  z.object({
    type: z.literal("diff"),
    path: z.string(),
    oldText: z.string().nullish().catch(undefined),
    newText: z.string(),
  }),
  z.object({}).transform(() => ({ type: "other" as const })),
]);
export type CallContent = z.infer<typeof CallContent>;

/** A step, or a change of one. */
export const Step = z.object({
  toolCallId: id,
  title: z.string().nullish().catch(undefined),
  kind: z.enum(kinds).nullish().catch(undefined),
  status: z.enum(statuses).nullish().catch(undefined),
  content: z.array(CallContent).nullish().catch(undefined),
  rawInput: z.unknown().optional(),
  rawOutput: z.unknown().optional(),
});
export type Step = z.infer<typeof Step>;

const Plan = z.object({
  sessionUpdate: z.literal("plan"),
  entries: z.array(z.object({ content: z.string(), status: z.string().catch("pending") })),
});

export const SessionUpdate = z.object({
  sessionId: id,
  update: z.union([
    z.object({
      sessionUpdate: z.enum(["agent_message_chunk", "agent_thought_chunk"]),
      content: Chunk,
    }),
    Step.extend({ sessionUpdate: z.enum(["tool_call", "tool_call_update"]) }),
    Plan,
    z.object({ sessionUpdate: z.string() }).transform(() => ({ sessionUpdate: "other" as const })),
  ]),
});
export type SessionUpdate = z.infer<typeof SessionUpdate>;

const optionKinds = ["allow_once", "allow_always", "reject_once", "reject_always"] as const;
export type PermissionOption = z.infer<typeof PermissionOption>;
const PermissionOption = z.object({ optionId: id, name: z.string(), kind: z.enum(optionKinds) });

export const PermissionRequest = z.object({
  sessionId: id,
  toolCall: Step,
  options: z.array(PermissionOption).min(1).max(20),
});

const maxPathLength = 4_096;
const path = z.string().min(1).max(maxPathLength);
export const ReadRequest = z.object({
  sessionId: id,
  path,
  line: z.int().min(0).nullish(),
  limit: z.int().min(0).nullish(),
});
export const WriteRequest = z.object({ sessionId: id, path, content: z.string() });
