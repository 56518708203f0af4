import { type Clock, minutes, seconds, sleep } from "../core/clock.ts";
import type { Fault } from "./faults.ts";
import type { ServerHandler } from "./kubernetes/api.ts";
import { statusResponse } from "./kubernetes/representation.ts";
import type { Status } from "./kubernetes/status.ts";

/** How long an unanswered connection stays open on this side, in real time. */
const patience = minutes(2);
const slowness = seconds(5);

/** The connection is closed, as when a server crashes. */
export class Disconnected extends TypeError {
  constructor() {
    super("fetch failed", {
      cause: Object.assign(new Error("socket hang up"), { code: "ECONNRESET" }),
    });
  }
}

interface Faultiness {
  /** The fault for `<method> <path>`, if any. */
  take(operation: string): Fault | undefined;
  /** The simulated clock. */
  clock: Clock;
  /** The real clock. */
  wall: Clock;
  /** The system's form of a refusal; that of a Kubernetes API by default. */
  refuse?(status: number): Response;
  /** Performs a request, and undoes its changes. */
  undone?(work: () => Promise<Response>): Promise<Response>;
}

/** Injects faults into a handler. Throws `Disconnected` where the connection is to be closed. */
export function faulty(
  handler: ServerHandler,
  { take, clock, wall, refuse = refusal, undone = (work) => work() }: Faultiness,
): ServerHandler {
  return async (request, peer) => {
    const fault = take(`${request.method} ${new URL(request.url).pathname}`);
    switch (fault?.fault) {
      // A fault of the kind `hold` does not apply to requests.
      case "hold":
      case undefined:
        return handler(request, peer);
      case "ignore":
        return undone(async () => handler(request, peer));
      case "error":
        return refuse(fault.status);
      case "conflict":
        return refuse(409);
      case "slow":
        await sleep(clock, slowness);
        return handler(request, peer);
      case "timeout":
        // Ends early when the client gives up; in both cases no client waits for the answer.
        await sleep(wall, patience, request.signal).catch(() => undefined);
        throw new Disconnected();
      case "crash_before":
        throw new Disconnected();
      case "crash_after": {
        const response = await handler(request, peer);
        await response.body?.cancel();
        throw new Disconnected();
      }
    }
  };
}

const reasons: Record<number, string> = {
  400: "BadRequest",
  401: "Unauthorized",
  403: "Forbidden",
  404: "NotFound",
  409: "Conflict",
  410: "Expired",
  422: "Invalid",
  429: "TooManyRequests",
  500: "InternalError",
  503: "ServiceUnavailable",
  504: "Timeout",
};

/** The refusal of a Kubernetes API. */
export function refusal(code: number): Response {
  const status: Status = {
    kind: "Status",
    apiVersion: "v1",
    metadata: {},
    status: "Failure",
    message: `injected fault: the server answers ${code}`,
    reason: reasons[code] ?? "InternalError",
    code,
  };
  return statusResponse(status);
}
