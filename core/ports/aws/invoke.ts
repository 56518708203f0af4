import { InvokeCommand, type InvokeCommandOutput, type LambdaClient } from "@aws-sdk/client-lambda";
import { AppError } from "../../error.ts";
import { FunctionFailed, type Handover, type LambdaCaller } from "./lambda.ts";

/** Needs a client that may retry: workers tolerate a repeated call. */
export function lambdaHandover(client: LambdaClient): Handover {
  return {
    async later(worker, call) {
      await invoked(client, worker, call, "Event");
    },
  };
}

/** Needs a client that tries once and waits as long as a function may run; the caller decides on retries. */
export function lambdaCaller(client: LambdaClient): LambdaCaller {
  return {
    async now(worker, call) {
      const { FunctionError, Payload } = await invoked(client, worker, call, "RequestResponse");
      const result = parsed(Payload?.transformToString() ?? "");
      if (FunctionError !== undefined) throw new FunctionFailed(typeOf(result));
      return result;
    },
  };
}

async function invoked(
  client: LambdaClient,
  worker: string,
  call: object,
  type: "Event" | "RequestResponse",
): Promise<InvokeCommandOutput> {
  const Payload = JSON.stringify(call);
  const command = new InvokeCommand({ FunctionName: worker, InvocationType: type, Payload });
  try {
    return await client.send(command);
  } catch (error) {
    throw unavailable(error);
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw unavailable(error);
  }
}

const unavailable = (cause: unknown): AppError =>
  new AppError("Unavailable", "a worker could not be asked", { cause });

/** Lambda answers `{errorType, errorMessage}` for an error that a function threw. */
function typeOf(result: unknown): string {
  const known = typeof result === "object" && result !== null && "errorType" in result;
  return known ? String(result.errorType) : "Unknown";
}
