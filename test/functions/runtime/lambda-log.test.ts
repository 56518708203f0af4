import type { Context } from "aws-lambda";
import { afterEach, expect, it, vi } from "vitest";

/** The lines of functions on AWS. A process has one first run, so each test loads the modules anew. */

afterEach(() => {
  vi.unstubAllEnvs();
  vi.resetModules();
});

async function opened() {
  vi.resetModules();
  const { handled } = await import("../../../functions/runtime/handled.ts");
  const { lambdaLog } = await import("../../../functions/runtime/lambda-log.ts");
  const lines: Record<string, unknown>[] = [];
  const log = lambdaLog((line) => lines.push(JSON.parse(line)));
  return { handled, log, lines };
}

const run = (awsRequestId: string) => ({ awsRequestId }) as Context;

it("says of each line which run of which function it is of, and its trace", async () => {
  vi.stubEnv("AWS_LAMBDA_FUNCTION_NAME", "slipway-prod-relay");
  vi.stubEnv("AWS_LAMBDA_FUNCTION_VERSION", "$LATEST");
  const { handled, log, lines } = await opened();
  const handler = handled(async (text: string) => log.warn({ text }, "it happened"));
  vi.stubEnv(
    "_X_AMZN_TRACE_ID",
    "Root=1-5759e988-bd862e3fe1be46a994272793;Parent=53995c3f;Sampled=1",
  );
  await handler("one", run("r-1"));
  vi.stubEnv("_X_AMZN_TRACE_ID", "");
  await handler("two", run("r-2"));
  const function_name = "slipway-prod-relay";
  const function_version = "$LATEST";
  const line = { level: "WARN", message: "it happened", function_name, function_version };
  const xray_trace_id = "1-5759e988-bd862e3fe1be46a994272793";
  expect(lines).toMatchObject([
    { ...line, text: "one", function_request_id: "r-1", cold_start: true, xray_trace_id },
    { ...line, text: "two", function_request_id: "r-2", cold_start: false },
  ]);
  expect(lines[1]).not.toHaveProperty("xray_trace_id");
});

it("lets a line say something of its own instead, as before the first run", async () => {
  const { log, lines } = await opened();
  log.info({ function_name: "of another" }, "it starts");
  expect(lines).toMatchObject([{ function_name: "of another", cold_start: true }]);
  expect(lines[0]).not.toHaveProperty("function_request_id");
});
