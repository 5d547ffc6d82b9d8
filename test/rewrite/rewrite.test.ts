/**
 * The rewriter's client, against a local server with the published schemas: https://docs.ollama.com/api/chat and
 * https://developers.openai.com/api/reference/resources/chat.
 */

import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Unavailable } from "../../server/common/errors.ts";
import { DEFAULTS } from "../../server/config/settings.ts";
import type { Rewriter } from "../../server/contracts/query-models.ts";
import { createRewriter } from "../../server/rewrite/create.ts";
import { failure } from "../support/failure.ts";
import {
  type ModelFault,
  type ModelServer,
  modelServer,
  type Received,
} from "../support/model-server.ts";

let text: string | undefined;
let server: ModelServer;
beforeEach(async () => {
  text = "session token refresh expiry";
  server = await modelServer(answer);
});
afterEach(() => server.close());

function answer({ path }: Received): unknown {
  const message = { role: "assistant", content: text };
  if (path === "/api/chat") return { model: "m", message, done: true, done_reason: "stop" };
  if (path !== "/v1/chat/completions") return {};
  return { id: "x", object: "chat.completion", choices: [{ index: 0, message }] };
}

const QUESTION = "where is the token renewed";

function create(
  provider: "ollama" | "openai",
  { likeness = 1, minOpenMs = 60_000, timeoutMs = 60_000 } = {},
) {
  const settings = {
    ...DEFAULTS,
    "rewrite.provider": provider,
    "rewrite.baseUrl": server.url,
    "rewrite.apiKey": "sk-chat",
  };
  return createRewriter(settings, () => likeness, { timeoutMs, minOpenMs }) as Rewriter;
}

describe.each(["ollama", "openai"] as const)("%s", (provider) => {
  it("asks for one short line, without chance", async () => {
    expect(await create(provider).rewrite(QUESTION)).toEqual({ text });
    const { body, authorization } = server.received[0] as Received;
    expect(authorization).toBe("Bearer sk-chat");
    expect((body["messages"] as { content: string }[]).at(-1)?.content).toBe(QUESTION);
    const { messages: _messages, ...rest } = body;
    expect(rest).toEqual(
      {
        ollama: {
          model: "qwen2.5:3b",
          stream: false,
          options: { temperature: 0, num_predict: 64 },
        },
        openai: { model: "gpt-4o-mini", temperature: 0, max_tokens: 64 },
      }[provider],
    );
  });

  it.each([
    ["x".repeat(4 * QUESTION.length + 65), "too long"],
    ["first\nsecond", "several lines"],
    ["  ", "no text"],
    [undefined, "no text"],
  ])("refuses %j", async (given, refused) => {
    text = given;
    const rewriter = create(provider);
    expect(await rewriter.rewrite(QUESTION)).toEqual({ refused });
    expect(rewriter.isAvailable).toBe(true);
  });

  it("takes the longest answer that is allowed", async () => {
    text = "x".repeat(4 * QUESTION.length + 64);
    expect(await create(provider).rewrite(QUESTION)).toEqual({ text });
  });

  it("refuses a rewritten query of another meaning", async () => {
    const rewriter = create(provider, { likeness: 0.34 });
    expect(await rewriter.rewrite(QUESTION)).toEqual({ refused: "another meaning" });
    expect(await create(provider, { likeness: 0.36 }).rewrite(QUESTION)).toEqual({ text });
  });

  it.each<ModelFault>([
    "rate limit",
    "server error",
    "cut connection",
    "not found",
    "redirect",
    "no JSON",
  ])("is left alone after: %s", async (fault) => {
    server.fail(fault);
    const rewriter = create(provider);
    const error = await failure(rewriter.rewrite(QUESTION));
    expect(error).toBeInstanceOf(Unavailable);
    expect(error.message).toContain("does not rewrite queries");
    expect(rewriter.isAvailable).toBe(false);
    await failure(rewriter.rewrite(QUESTION));
    expect(server.received).toHaveLength(1);
  });

  it("sends neither question nor key where a redirect leads", async () => {
    const other = await modelServer(answer);
    server.redirectTo = `${other.url}${provider === "ollama" ? "/api/chat" : "/v1/chat/completions"}`;
    server.fail("redirect");
    const error = await failure(create(provider).rewrite(QUESTION));
    expect(error.message).toContain("which is not followed");
    expect(error.message).not.toContain("sk-chat");
    expect(other.received).toEqual([]);
    await other.close();
  });

  it("is given up when it is late", async () => {
    server.fail("silence");
    const error = await failure(create(provider, { timeoutMs: 50 }).rewrite(QUESTION));
    expect(error.message).toContain("no answer within 50 ms");
    await server.abandoned;
  });
});

it("is off by default", () => expect(createRewriter(DEFAULTS, () => 1)).toBeUndefined());
