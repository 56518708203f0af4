/** The Step Functions API (AWS JSON 1.0) in front of an engine. */
import { randomUUID } from "node:crypto";
import type { WorkflowEngine } from "./engine.ts";
import { ServiceError } from "./errors.ts";
import { operations } from "./operations.ts";

/**
 * A fetch-style handler that answers as AWS does, errors included, without checking signatures. An unsupported
 * operation is `UnknownOperationException`.
 */
export function serveStepFunctions(
  engine: WorkflowEngine,
): (request: Request) => Promise<Response> {
  return async (request) => {
    try {
      return respond(200, await answer(engine, request));
    } catch (error) {
      if (error instanceof ServiceError) {
        return respond(400, { __type: error.name, message: error.message });
      }
      const message = error instanceof Error ? error.message : String(error);
      return respond(500, { __type: "InternalFailure", message });
    }
  };
}

async function answer(engine: WorkflowEngine, request: Request): Promise<object> {
  const [service, name = ""] = (request.headers.get("x-amz-target") ?? "").split(".");
  const operation = service === "AWSStepFunctions" ? operations.get(name) : undefined;
  if (operation === undefined) {
    throw new ServiceError("UnknownOperationException", `Unknown operation '${name}'`);
  }
  return operation(engine, await bodyOf(request));
}

async function bodyOf(request: Request): Promise<unknown> {
  const text = await request.text();
  try {
    return JSON.parse(text);
  } catch {
    throw new ServiceError("SerializationException", "Could not parse request body into json");
  }
}

function respond(status: number, body: object): Response {
  const headers = {
    "content-type": "application/x-amz-json-1.0",
    "x-amzn-requestid": randomUUID(),
  };
  return new Response(JSON.stringify(body), { status, headers });
}
