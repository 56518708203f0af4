import { randomBytes } from "node:crypto";
import { createSocket, type Socket } from "node:dgram";
import { systemClock } from "../../core/clock.ts";
import { AppError } from "../../core/error.ts";
import type { CallWatch, OutsideCall } from "../../core/outside.ts";

/**
 * A span for each call of an outside system, as a subsegment in the trace of the run. Not OpenTelemetry's SDK with
 * the exporter for X-Ray, which would add 424 KB to each function; most have 460 KB in all.
 */

/** A subsegment document. https://docs.aws.amazon.com/xray/latest/devguide/xray-api-segmentdocuments.html */
export interface Span {
  type: "subsegment";
  namespace: "remote";
  id: string;
  trace_id: string;
  parent_id: string;
  name: string;
  /** In seconds since 1970, with fractions. */
  start_time: number;
  end_time: number;
  /** What traces can be searched for. */
  annotations: Record<string, string>;
  http?: { response: { status: number } };
  /** Whether the system refused the request. */
  error?: true;
  /** Whether the system demanded fewer requests. */
  throttle?: true;
  /** Whether the system failed or did not answer. */
  fault?: true;
  cause?: { exceptions: { id: string; type: string; message: string }[] };
}

interface SpanOptions {
  send(span: Span): void;
  now?: () => number;
  newId?: () => string;
}

const randomId = () => randomBytes(8).toString("hex");

/** Sends a span of each call to the trace in a header; undefined where the trace is not recorded. */
export function spanWatch(
  header: string | undefined,
  { send, now = () => systemClock.now(), newId = randomId }: SpanOptions,
): CallWatch | undefined {
  const trace = new Map((header ?? "").split(";").map((part) => pairOf(part)));
  const [trace_id, parent_id] = [trace.get("Root"), trace.get("Parent")];
  if (trace_id === undefined || parent_id === undefined || trace.get("Sampled") !== "1")
    return undefined;
  return (call) => {
    const start = now();
    return (failed) => {
      // A call that only wraps others, such as a hub's breaker, gets no span.
      if (call.call === undefined) return;
      send({
        type: "subsegment",
        namespace: "remote",
        id: newId(),
        trace_id,
        parent_id,
        name: nameOf(call),
        start_time: start / 1000,
        end_time: now() / 1000,
        annotations: annotationsOf(call),
        ...outcomeOf(call, failed, newId),
      });
    };
  };
}

const pairOf = (part: string): [string, string] => {
  const [name = "", value = ""] = part.trim().split("=");
  return [name, value];
};

/**
 * The span's name, a node of the trace map: one for each system, such as `hub hub-a`. X-Ray accepts 200 of these
 * characters.
 */
function nameOf({ from, words = "a system outside" }: OutsideCall): string {
  const name = from
    ? [from.system, from.instance].filter((part) => part !== undefined).join(" ")
    : words.replace(/^the /, "");
  return name.replace(/[^\p{L}\p{N}\s_.:/%&#=+\\\-@]/gu, "").slice(0, 200);
}

/** X-Ray refuses values of more than 1,000 characters. */
function annotationsOf({ from, call = "" }: OutsideCall): Span["annotations"] {
  return {
    call: call.slice(0, 1000),
    ...(from && { system: from.system }),
    ...(from?.instance !== undefined && { instance: from.instance }),
  };
}

function outcomeOf(call: OutsideCall, failed: unknown, newId: () => string): Partial<Span> {
  const { status } = call;
  return {
    ...(status !== undefined && { http: { response: { status } } }),
    ...(status !== undefined && status >= 400 && status < 500 && { error: true }),
    ...(status === 429 && { throttle: true }),
    ...((failed !== undefined || (status ?? 0) >= 500) && { fault: true }),
    ...(failed !== undefined && { cause: { exceptions: [exceptionOf(failed, newId)] } }),
  };
}

/** Only messages of Slipway's own errors are published, because others may quote what was sent. */
function exceptionOf(failed: unknown, newId: () => string) {
  const id = newId();
  if (failed instanceof AppError) return { id, type: failed.kind, message: failed.message };
  const type = failed instanceof Error ? failed.name : "Error";
  return { id, type, message: "the call failed" };
}

let socket: Socket | undefined;

/** Sends a span to the daemon that Lambda runs beside each function. A lost span does no harm. */
export function sendToDaemon(span: Span, address = process.env.AWS_XRAY_DAEMON_ADDRESS): void {
  const [host, port] = address?.split(":") ?? [];
  if (host === undefined || port === undefined) return;
  if (!socket) {
    socket = createSocket("udp4").unref();
    socket.on("error", () => {});
  }
  socket.send(
    `{"format":"json","version":1}\n${JSON.stringify(span)}`,
    Number(port),
    host,
    () => {},
  );
}
