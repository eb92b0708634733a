import type { LimitWindow } from "../../../api/call/limits/limits.ts";
import type { RateLimit, RateLimitLogEntry } from "../../../api/endpoints/account/account.ts";
import type { Connection } from "../../../session/connection/connection.ts";
import type { ChainSpend, Spend } from "../../../session/spend/spend.ts";
import { dayMs, spanText } from "../../../shared/time/days.ts";
import { utcText } from "../../../shared/time/whenText.ts";
import type { AccountData } from "../accountData.ts";
import { type AccountNode, shareBar } from "../tree/treeNode.ts";
import type { LimitWatch, SeenLimits } from "./limitWatch.ts";

export interface LimitNodesDeps {
  readonly data: AccountData;
  readonly watch: LimitWatch;
  readonly connection: Connection;
  /** The session's ledger. */
  readonly spend: Pick<Spend, "chainSpend">;
}

/** The chain proxy's daily limit in the standard tier (spec, Chain-RPC limits). */
const creditsPerDay = 10_000_000;

/**
 * Tier, epoch, limits per model with the remaining amount, chain credits, and refused requests. Throws if they can't be
 * read.
 */
export async function limitNodes({
  data,
  watch,
  connection,
  spend,
}: LimitNodesDeps): Promise<readonly AccountNode[]> {
  const { value, error } = await data.limits.load();
  if (!value) throw error;
  const nowMs = data.now();
  const models = value.rateLimits ?? [];
  const chain = await spend.chainSpend(connection, nowMs - dayMs);
  return [
    tierNode(value.apiTier, value.accessPermitted ?? undefined),
    ...epochNode(value.nextEpochBegins ?? undefined, nowMs),
    ...expiryNode(value.keyExpiration ?? undefined, nowMs),
    {
      id: "models",
      label: "By model",
      description: `${models.length}`,
      icon: "list-tree",
      children: async () =>
        models.map(({ apiModelId, rateLimits }) =>
          modelNode(apiModelId, rateLimits, watch.ofModel(connection.id, apiModelId), nowMs),
        ),
    },
    rpcNode(chain, watch.ofChain(connection.id), nowMs),
    {
      id: "log",
      label: "Refused requests",
      description: "the last 50",
      tooltip: { notes: ["Requests that a limit refused, from the service's log."] },
      icon: "output",
      children: async () => logNodes((await data.limitLog.load()).value, data.now()),
    },
  ];
}

function tierNode(
  tier: { id: string; isCharged?: boolean | null | undefined } | null | undefined,
  permitted: boolean | undefined,
): AccountNode {
  const isRefused = permitted === false;
  return {
    id: "tier",
    label: "Tier",
    description: [
      tier?.id ?? "unknown",
      tier?.isCharged === false ? "not charged" : "",
      isRefused ? "no access" : "",
    ]
      .filter(Boolean)
      .join(", "),
    icon: isRefused ? "error" : "layers",
    ...(isRefused ? { tint: "error" as const } : {}),
    kind: "fact",
    copyText: tier?.id ?? "",
  };
}

function epochNode(begins: string | undefined, nowMs: number): AccountNode[] {
  const ms = begins === undefined ? Number.NaN : Date.parse(begins);
  if (Number.isNaN(ms)) return [];
  const text = ms <= nowMs ? "has begun; refresh" : `in ${spanText(ms - nowMs)}`;
  return [
    {
      id: "epoch",
      label: "Next epoch begins",
      description: text,
      tooltip: { notes: [utcText(ms)] },
      icon: "watch",
      kind: "fact",
      copyText: begins ?? "",
    },
  ];
}

function expiryNode(expires: string | undefined, nowMs: number): AccountNode[] {
  const ms = expires ? Date.parse(expires) : Number.NaN;
  if (Number.isNaN(ms)) return [];
  const isNear = ms - nowMs < 7 * 86_400_000;
  return [
    {
      id: "expiry",
      label: "This key expires",
      description: ms <= nowMs ? "it has" : `in ${spanText(ms - nowMs)}`,
      icon: "calendar",
      ...(isNear ? { tint: "warning" as const } : {}),
      kind: "fact",
      copyText: expires ?? "",
    },
  ];
}

const units: Readonly<Record<string, string>> = {
  RPM: "requests a minute",
  RPD: "requests a day",
  TPM: "tokens a minute",
};

function unitText(type: string): string {
  return Object.hasOwn(units, type) ? (units[type] ?? type) : type;
}

function modelNode(
  id: string,
  limits: readonly RateLimit[],
  seen: SeenLimits | undefined,
  nowMs: number,
): AccountNode {
  const share = seen && shareLeft(seen.requests, nowMs);
  const text = limits.map(({ amount, type }) => `${amount.toLocaleString("en-US")} ${type}`).join(", ");
  return {
    id: `model:${id}`,
    label: id,
    description: share === undefined ? text : `${text}  ${shareBar(share)} left`,
    tooltip: {
      title: id,
      facts: [
        ...limits.map(({ amount, type }) => [unitText(type), amount.toLocaleString("en-US")] as const),
        ...(seen ? [["Left", leftText(seen, nowMs)] as const] : []),
      ],
      isBelow: true,
    },
    icon: "symbol-namespace",
    ...(share !== undefined && share < 0.1 ? { tint: "warning" as const } : {}),
    kind: "model",
    copyText: id,
    children: async () => [
      ...limits.map(({ amount, type }) => ({
        id: `model:${id}:${type}`,
        label: unitText(type),
        description: amount.toLocaleString("en-US"),
        icon: "dashboard",
        kind: "fact",
        copyText: String(amount),
      })),
      {
        id: `model:${id}:left`,
        label: "Remaining",
        description: seen ? leftText(seen, nowMs) : "shown after the next response of this model",
        icon: "pulse",
        kind: "fact",
        copyText: seen ? leftText(seen, nowMs) : "",
      },
    ],
  };
}

/** A window that was reset since is full again. */
function shareLeft(window: LimitWindow | undefined, nowMs: number): number | undefined {
  if (!window?.limit || window.remaining === undefined) return undefined;
  if (window.resetAtMs !== undefined && window.resetAtMs <= nowMs) return 1;
  return window.remaining / window.limit;
}

function leftText({ requests, tokens, atMs }: SeenLimits, nowMs: number): string {
  const windowTexts = (window: LimitWindow | undefined, unit: string): string[] => {
    if (window?.remaining === undefined) return [];
    const isOpen = window.resetAtMs !== undefined && window.resetAtMs <= nowMs;
    const left = isOpen && window.limit !== undefined ? window.limit : window.remaining;
    return [
      `${left.toLocaleString("en-US")}${window.limit === undefined ? "" : ` of ${window.limit.toLocaleString("en-US")}`} ${unit}`,
    ];
  };
  const parts = [...windowTexts(requests, "requests"), ...windowTexts(tokens, "tokens")];
  return parts.length === 0 ? "unknown" : `${parts.join(", ")} (${spanText(nowMs - atMs)} ago)`;
}

function rpcNode(
  { credits, unstated }: ChainSpend,
  seen: SeenLimits | undefined,
  nowMs: number,
): AccountNode {
  const share = credits / creditsPerDay;
  return {
    id: "rpc",
    label: "RPC credits in 24 hours",
    description: `${credits.toLocaleString("en-US")}  ${shareBar(share)}`,
    tooltip: {
      facts: [
        ["Spent by this extension", credits.toLocaleString("en-US")],
        ...(unstated > 0 ? [["Calls without stated credits", String(unstated)] as const] : []),
        ["Limit of the standard tier", creditsPerDay.toLocaleString("en-US")],
        ...(seen ? [["Requests left", leftText(seen, nowMs)] as const] : []),
      ],
    },
    icon: "link",
    ...(share >= 0.8 ? { tint: "warning" as const } : {}),
    kind: "fact",
    copyText: String(credits),
  };
}

function logNodes(log: readonly RateLimitLogEntry[] | undefined, nowMs: number): AccountNode[] {
  if (log === undefined)
    return [{ id: "log:none", label: "This service has no such log", icon: "circle-slash", tint: "quiet" }];
  if (log.length === 0)
    return [{ id: "log:empty", label: "No request was refused", icon: "check", tint: "good" }];
  return log.map(({ modelId, rateLimitType, timestamp, apiKeyId, rateLimitTier }, index) => {
    const ms = Date.parse(timestamp);
    return {
      id: `log:${index}:${timestamp}`,
      label: modelId || "(no model)",
      description:
        `${rateLimitType ?? ""} ${Number.isNaN(ms) ? timestamp : `${spanText(nowMs - ms)} ago`}`.trim(),
      tooltip: {
        facts: [
          ["When", timestamp],
          ["Key", apiKeyId ?? "unknown"],
          ["Tier", rateLimitTier ?? "unknown"],
          ["Limit", unitText(rateLimitType ?? "unknown")],
        ],
      },
      icon: "circle-slash",
      kind: "fact",
      copyText: apiKeyId ?? "",
    };
  });
}
