import type { JsonObject } from "../../core/kernel/input/shape.ts";
import type { Kind } from "../../core/kernel/object/object.ts";
import type { ObjectOf } from "../../core/kernel/object/object-of.ts";
import { publicPart } from "../../core/kernel/object/public.ts";
import type { Wire } from "../../core/kernel/object/wire-form.ts";
import { type Live, wireFormOf } from "../../core/kernel/object/wire-form.ts";
import type { Accepted } from "../../core/kernel/request/checks.ts";
import type { Rehearsal } from "../../core/kernel/request/rehearsal.ts";
import type { Call } from "./call.ts";
import { kinds, view, wireForms } from "./registry.ts";

/** Seconds until a client should read a new operation again. */
const retryAfter = "5";

const operationPath = (id: string): string => `/api/fulfillment/v1/operations/${id}`;

/**
 * Answers an object, with its version as ETag. `status` has members that are not in the record; `revealed` has
 * members of the spec that only its creator sees, once.
 */
export function objectAnswer(
  call: Call,
  object: ObjectOf[Kind],
  status: Live = {},
  revealed: Record<string, unknown> = {},
): Response {
  call.c.header("ETag", `"${object.generation}"`);
  const wire = view(object, call.view);
  if (Object.keys(revealed).length > 0)
    return call.c.json({ ...wire, spec: { ...Object(wire.spec), ...revealed } });
  return call.c.json(withLive(call.view, object.kind, wire, status));
}

/** An object on the wire, with the members of its status that are not stored in the record. */
export function withLive(
  asked: Call["view"],
  kind: Kind,
  wire: Wire,
  live: Live | undefined,
): Wire {
  const { profile, private: all } = asked;
  if (!live || Object.keys(live).length === 0 || !hasLive(asked, kind)) return wire;
  const { osacLive } = wireFormOf(wireForms, kind);
  const shown = profile === "osac" ? osacLive?.(live) : live;
  const whole = { ...wire, status: { ...Object(wire.status), ...shown } };
  return all ? whole : publicPart(kinds, kind, whole);
}

/** Whether answers in this form have members that are not stored in the record. */
export const hasLive = ({ profile }: Pick<Call["view"], "profile">, kind: Kind): boolean =>
  profile !== "osac" || wireFormOf(wireForms, kind).osacLive !== undefined;

/** Answers an accepted change, with the operation that carries it out. */
export function acceptedAnswer<K extends Kind>(call: Call, accepted: Accepted<K>): Response {
  if (call.trial) return call.c.json(tried(call, call.trial, accepted.object));
  announce(call, accepted);
  return objectAnswer(call, accepted.object, {}, accepted.revealed);
}

/** Answers the objects that were accepted at once, each with its operation in its status. */
export function allAcceptedAnswer<K extends Kind>(call: Call, accepted: Accepted<K>[]): Response {
  const { trial } = call;
  const items = accepted.map(({ object }) =>
    trial ? tried(call, trial, object) : view(object, call.view),
  );
  if (accepted.some(({ replayed }) => replayed)) call.c.header("Idempotent-Replayed", "true");
  return call.c.json({ items });
}

/** Answers a DELETE in OSAC's form. */
export function deletedAnswer<K extends Kind>(call: Call, accepted: Accepted<K>): Response {
  if (!call.trial) announce(call, accepted);
  return call.c.json({});
}

/**
 * The object of a dry run, without members that only a stored object has and without ids of objects that do not
 * exist.
 */
function tried(call: Call, trial: Rehearsal, object: ObjectOf[Kind]): JsonObject {
  const { metadata, ...rest } = view(object, call.view);
  const isNew = call.param("id") === "";
  const known = Object.entries(metadata ?? {}).filter(
    ([name]) => !isNew || (name !== "creation_timestamp" && name !== "version"),
  );
  const isInvented = (value: unknown) => typeof value === "string" && trial.hasInvented(value);
  const told = JSON.stringify({ ...rest, metadata: Object.fromEntries(known) }, (_, value) =>
    isInvented(value) ? undefined : value,
  );
  return JSON.parse(told);
}

function announce<K extends Kind>(call: Call, { operation, replayed }: Accepted<K>): void {
  if (operation !== undefined) {
    call.c.header("Operation-Location", operationPath(operation));
    call.c.header("Retry-After", retryAfter);
  }
  if (replayed) call.c.header("Idempotent-Replayed", "true");
}
