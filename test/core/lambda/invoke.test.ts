import { createHash, createHmac } from "node:crypto";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { FunctionFailed, lambdaInvoker } from "../../../core/lambda/invoke.ts";

/** Lambda's side of an invocation: what came in, and what it answers. */
interface Received {
  url: string;
  headers: IncomingMessage["headers"];
  body: string;
}
const received: Received[] = [];
let answers: { status: number; headers?: Record<string, string>; body: string }[] = [];
const server = createServer((request, response) => {
  let body = "";
  request.on("data", (chunk) => {
    body += chunk;
  });
  request.on("end", () => {
    received.push({ url: request.url ?? "", headers: request.headers, body });
    const { status, headers, body: text } = answers.shift() ?? { status: 202, body: "" };
    response.writeHead(status, headers).end(text);
  });
});

let endpoint = "";
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server.close());
beforeEach(() => {
  received.length = 0;
  answers = [];
});

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");

const at = Date.parse("2026-11-21T06:00:00Z");
const wall = {
  now: () => at,
  after(_: number, fn: () => void) {
    fn();
    return { cancel() {} };
  },
};
const credentials = { accessKeyId: "AKID", secretAccessKey: "secret", sessionToken: "session" };
const invoker = (changes: object = {}) =>
  lambdaInvoker({ region: "eu-west-1", credentials, wall, random: () => 0, endpoint, ...changes });

describe("handing a call over", () => {
  test("is an asynchronous invocation of the function, with the call as its payload", async () => {
    await invoker().later("arn:aws:lambda:eu-west-1:123456789012:function:w", { step: "One" });
    expect(received).toHaveLength(1);
    const [{ url, headers, body } = { url: "", headers: {}, body: "" }] = received;
    expect(decodeURIComponent(url)).toBe(
      "/2015-03-31/functions/arn:aws:lambda:eu-west-1:123456789012:function:w/invocations",
    );
    expect(headers["x-amz-invocation-type"]).toBe("Event");
    expect(headers["x-amz-security-token"]).toBe("session");
    expect(JSON.parse(body)).toEqual({ step: "One" });
  });

  test("is signed with the role's credentials, by version 4 of AWS's scheme", async () => {
    await invoker().later("worker", { step: "One" });
    const [{ url, headers, body } = { url: "", headers: {}, body: "" }] = received;
    const [, scope, signed = "", signature] =
      /^AWS4-HMAC-SHA256 Credential=AKID\/(\S+), SignedHeaders=(\S+), Signature=(\w+)$/.exec(
        headers.authorization ?? "",
      ) ?? [];
    expect(scope).toBe("20261121/eu-west-1/lambda/aws4_request");
    const names = signed.split(";");
    expect(names).toEqual(expect.arrayContaining(["host", "x-amz-date", "x-amz-invocation-type"]));
    const canonical = [
      "POST",
      url,
      "",
      ...names.map((name) => `${name}:${headers[name]}`),
      "",
      signed,
      sha256(body),
    ].join("\n");
    const key = ["20261121", "eu-west-1", "lambda", "aws4_request"].reduce<string | Buffer>(
      (secret, part) => createHmac("sha256", secret).update(part).digest(),
      "AWS4secret",
    );
    const text = ["AWS4-HMAC-SHA256", "20261121T060000Z", scope, sha256(canonical)].join("\n");
    expect(signature).toBe(createHmac("sha256", key).update(text).digest("hex"));
  });

  test.each([429, 500, 503])("is tried again after %i", async (status) => {
    answers = [{ status, body: "busy" }];
    await invoker().later("worker", {});
    expect(received).toHaveLength(2);
  });

  test("is given up after three tries", async () => {
    answers = Array.from({ length: 5 }, () => ({ status: 429, body: "busy" }));
    await expect(invoker().later("worker", {})).rejects.toMatchObject({ kind: "Unavailable" });
    expect(received).toHaveLength(3);
  });

  test("is not tried again when it is refused", async () => {
    answers = [{ status: 403, body: "not authorized" }];
    await expect(invoker().later("worker", {})).rejects.toMatchObject({ kind: "Unavailable" });
    expect(received).toHaveLength(1);
  });

  test("is Unavailable when nobody answers", async () => {
    const fetch = () => Promise.reject(new TypeError("fetch failed"));
    await expect(invoker({ fetch }).later("worker", {})).rejects.toMatchObject({
      kind: "Unavailable",
    });
  });
});

/** An answer whose connection is cut within its body. */
const cut = async () =>
  new Response(new ReadableStream({ pull: (body) => body.error(new Error("cut")) }), {
    status: 403,
  });

describe("calling and waiting", () => {
  test("is Unavailable when the words of a refusal never come whole", async () => {
    const asked = invoker({ fetch: cut });
    await expect(asked.now("worker", {})).rejects.toMatchObject({ kind: "Unavailable" });
    await expect(asked.later("worker", {})).rejects.toMatchObject({ kind: "Unavailable" });
  });

  test("answers what the function answered", async () => {
    answers = [{ status: 200, body: '{"value":"kubeconfig"}' }];
    expect(await invoker().now("worker", { hub: "h1" })).toEqual({ value: "kubeconfig" });
    expect(received[0]?.headers["x-amz-invocation-type"]).toBe("RequestResponse");
  });

  test("throws the name of what the function threw, and not its words", async () => {
    const body = '{"errorType":"NotFound","errorMessage":"hub h1 with secret"}';
    answers = [{ status: 200, headers: { "x-amz-function-error": "Unhandled" }, body }];
    const error: unknown = await invoker()
      .now("worker", {})
      .catch((thrown) => thrown);
    expect(error).toBeInstanceOf(FunctionFailed);
    expect(error).toMatchObject({ type: "NotFound", message: "the function threw NotFound" });
  });

  test("is not repeated: whoever waits decides", async () => {
    answers = [{ status: 500, body: "fault" }];
    await expect(invoker().now("worker", {})).rejects.toMatchObject({ kind: "Unavailable" });
    expect(received).toHaveLength(1);
  });
});
