import { optionalMember } from "../../shared/members.ts";
import { pageTitle } from "../../shared/text/html/bodyWords.ts";
import type { FailedReply } from "./classify.ts";
import { ApiError, type ApiErrorDetails, type NetworkReason, proxySignInCode } from "./errors.ts";
import { redact } from "./redact.ts";

/** The error of a reply that something between here and the service sent: a gateway, a proxy, a network. */
export function gatewayError(reply: FailedReply): ApiError | undefined {
  const { status } = reply;
  if (status >= 300 && status <= 399) return redirectError(reply);
  if (status === 407) return between(reply, "proxy", "it asks for a sign-in (HTTP 407)", proxySignInCode);
  if (status === 511) return between(reply, "portal", "the network asks for a sign-in (HTTP 511)");
  if (status === 400 && wantsTls.test(reply.text))
    return between(reply, "tls-needed", "it expects HTTPS at this address");
  if (!isChallenge(reply)) return undefined;
  const title = pageTitle(reply.text);
  return between(reply, "challenge", title ? `“${title}”` : `HTTP ${status}`);
}

/** The words of nginx, Go, Apache and Tomcat for plain HTTP at a port of TLS. */
const wantsTls =
  /plain HTTP request was sent to HTTPS port|HTTP request to an HTTPS server|plain HTTP to an SSL-enabled|host and port requires TLS/i;

/** Titles of the pages that Cloudflare, Akamai, Imperva, DDoS-Guard, AWS and Vercel show to programs. */
const challengeTitle =
  /just a moment|attention required|checking your browser|verify(ing)? (that )?you are (a )?human|human verification|ddos-guard|security check|pardon our interruption|are you a robot/i;

function isChallenge({ status, headers, text }: FailedReply): boolean {
  if (status !== 403 && status !== 429 && status !== 503) return false;
  if (headers.get("cf-mitigated") === "challenge") return true;
  return /^\s*</.test(text) && challengeTitle.test(pageTitle(text) ?? "");
}

/** Nothing reached the service. */
function between(reply: FailedReply, reason: NetworkReason, message: string, code?: string): ApiError {
  const { endpoint, status, text, secrets } = reply;
  const raw = redact(text, secrets);
  const details = { endpoint, status, reason, mayHaveArrived: false, raw, ...optionalMember("code", code) };
  return new ApiError("network", redact(message, secrets), details);
}

function redirectError({ endpoint, status, headers, secrets }: FailedReply): ApiError {
  const location = redact(headers.get("location") ?? "", secrets);
  const isAddress = /^https?:\/\/[^\s<>"]{1,190}$/i.test(location);
  const details: ApiErrorDetails = {
    endpoint,
    status,
    reason: "redirect",
    // Only these two mean that the request must be sent again to another address (RFC 9110, 15.4).
    mayHaveArrived: status !== 307 && status !== 308,
    ...(isAddress ? { location } : {}),
  };
  return new ApiError("network", `the service answered with a redirect (HTTP ${status})`, details);
}
