import type { AgentFormat } from "../agentFormat.ts";
import { errorBody } from "./errorBody.ts";
import { MessageWriter } from "./messageWriter.ts";
import { readBody } from "./readBody.ts";

/** Anthropic's format of POST /v1/messages, which Claude Code and Anthropic's SDKs speak. */
export const messagesFormat: AgentFormat = {
  read(body, context) {
    const read = readBody(body);
    return {
      request: read.request,
      isStreamed: read.isStreamed,
      ...(read.session === undefined ? {} : { session: read.session }),
      openWriter: () => new MessageWriter(read, context),
    };
  },
  errorBody,
};
