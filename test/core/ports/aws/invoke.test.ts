import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { LambdaClient } from "@aws-sdk/client-lambda";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { lambdaCaller, lambdaHandover } from "../../../../core/ports/aws/invoke.ts";
import { FunctionFailed } from "../../../../core/ports/aws/lambda.ts";

/** Lambda's side of an invocation: what came in, and what it answers. */
interface Received {
  url: string;
  headers: IncomingMessage["headers"];
  body: string;
}
const received: Received[] = [];
let answers: { status: number; headers?: Record<string, string>; body: string; isCut?: true }[] =
  [];
const server = createServer((request, response) => {
  let body = "";
  request.on("data", (chunk) => {
    body += chunk;
  });
  request.on("end", () => {
    received.push({ url: request.url ?? "", headers: request.headers, body });
    const { status, headers, body: text, isCut } = answers.shift() ?? { status: 202, body: "" };
    response.writeHead(status, headers);
    if (isCut) response.write(text, () => response.destroy());
    else response.end(text);
  });
});

let endpoint = "";
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server.close());
afterEach(() => {
  vi.unstubAllEnvs();
});
beforeEach(() => {
  received.length = 0;
  answers = [];
});

const access = {
  region: "eu-west-1",
  credentials: { accessKeyId: "AKID", secretAccessKey: "secret", sessionToken: "session" },
};
const tries = 3;
const handover = () =>
  lambdaHandover(new LambdaClient({ ...access, endpoint, maxAttempts: tries }));
const caller = () => lambdaCaller(new LambdaClient({ ...access, endpoint, maxAttempts: 1 }));

describe("handing a call over", () => {
  it("is an asynchronous invocation of the function, with the call as its payload", async () => {
    await handover().later("arn:aws:lambda:eu-west-1:123456789012:function:w", { step: "One" });
    expect(received).toHaveLength(1);
    const [{ url, headers, body } = { url: "", headers: {}, body: "" }] = received;
    expect(decodeURIComponent(url)).toBe(
      "/2015-03-31/functions/arn:aws:lambda:eu-west-1:123456789012:function:w/invocations",
    );
    expect(headers["x-amz-invocation-type"]).toBe("Event");
    expect(headers["x-amz-security-token"]).toBe("session");
    expect(JSON.parse(body)).toEqual({ step: "One" });
  });

  it("is signed with the role's credentials, by version 4 of AWS's scheme", async () => {
    await handover().later("worker", { step: "One" });
    expect(received[0]?.headers.authorization).toMatch(
      /^AWS4-HMAC-SHA256 Credential=AKID\/\d{8}\/eu-west-1\/lambda\/aws4_request, SignedHeaders=\S*host\S*, Signature=\w{64}$/,
    );
  });

  it("goes on with the trace of the function that makes it", async () => {
    const trace = "Root=1-5759e988-bd862e3fe1be46a994272793;Parent=53995c3f42cd8ad8;Sampled=1";
    vi.stubEnv("AWS_LAMBDA_FUNCTION_NAME", "relay");
    vi.stubEnv("_X_AMZN_TRACE_ID", trace);
    await handover().later("worker", {});
    expect(received[0]?.headers["x-amzn-trace-id"]).toBe(trace);
  });

  it.each([429, 500, 503])("is tried again after %i", async (status) => {
    answers = [{ status, body: "busy" }];
    await handover().later("worker", {});
    expect(received).toHaveLength(2);
  });

  it("is given up after three tries", async () => {
    answers = Array.from({ length: 5 }, () => ({ status: 429, body: "busy" }));
    await expect(handover().later("worker", {})).rejects.toMatchObject({ kind: "Unavailable" });
    expect(received).toHaveLength(tries);
  });

  it("is not tried again when it is refused", async () => {
    answers = [{ status: 403, body: "not authorized" }];
    await expect(handover().later("worker", {})).rejects.toMatchObject({ kind: "Unavailable" });
    expect(received).toHaveLength(1);
  });

  it("is Unavailable when nobody answers", async () => {
    // No server listens on this port.
    const client = new LambdaClient({ ...access, endpoint: "http://127.0.0.1:1", maxAttempts: 2 });
    await expect(lambdaHandover(client).later("worker", {})).rejects.toMatchObject({
      kind: "Unavailable",
    });
  });
});

describe("calling and waiting", () => {
  it.each([
    ["a refusal", 403],
    ["an answer", 200],
  ])("is Unavailable when the words of %s never come whole", async (_, status) => {
    answers = [{ status, headers: { "content-length": "100" }, body: "{", isCut: true }];
    await expect(caller().now("worker", {})).rejects.toMatchObject({ kind: "Unavailable" });
    expect(received).toHaveLength(1);
  });

  it("answers what the function answered", async () => {
    answers = [{ status: 200, body: '{"value":"kubeconfig"}' }];
    expect(await caller().now("worker", { hub: "h1" })).toEqual({ value: "kubeconfig" });
    expect(received[0]?.headers["x-amz-invocation-type"]).toBe("RequestResponse");
  });

  it("throws the name of what the function threw, and not its words", async () => {
    const body = '{"errorType":"NotFound","errorMessage":"hub h1 with secret"}';
    answers = [{ status: 200, headers: { "x-amz-function-error": "Unhandled" }, body }];
    const error: unknown = await caller()
      .now("worker", {})
      .catch((thrown) => thrown);
    expect(error).toBeInstanceOf(FunctionFailed);
    expect(error).toMatchObject({ type: "NotFound", message: "the function threw NotFound" });
  });

  it("is not repeated: whoever waits decides", async () => {
    answers = [{ status: 500, body: "fault" }];
    await expect(caller().now("worker", {})).rejects.toMatchObject({ kind: "Unavailable" });
    expect(received).toHaveLength(1);
  });
});
