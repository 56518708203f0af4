import type { Row } from "./row.ts";

const ofDeliveries = [
  ["FIRST", "first_time"],
  ["EVENT", "event_type"],
  ["STATE", "state"],
  ["TRIES", "tries"],
  ["HTTP", "http_status"],
  ["WHY", "message"],
] as const;

/**
 * The columns of answers that are no objects, by the command's verb or the kind: entries, deliveries, credentials.
 */
export const ofEntries = {
  audit_entry: [
    ["TIME", "time"],
    ["ACTOR", "actor.user"],
    ["TENANT", "tenant"],
    ["VERB", "verb"],
    ["KIND", "kind"],
    ["OBJECT", "object_id"],
    ["RESULT", "result"],
    ["SOURCE", "source", "wide"],
    ["OPERATION", "operation", "wide"],
    ["REQUEST", "request_id", "wide"],
    ["WHY", "reason"],
  ],
  history: [
    ["TIME", "time"],
    ["EVENT", "type"],
    ["STATE", "data.object.status.state"],
    ["BY", "data.actor.user"],
    ["OPERATION", "data.object.status.operation", "wide"],
    ["CHANGED", "data.changed"],
    ["WHY", "data.object.status.message"],
  ],
  deliveries: ofDeliveries,
  test: ofDeliveries,
  replay: [
    ["FROM", "from"],
    ["TO", "to"],
  ],
  capacity: [
    ["RESOURCE", "resource"],
    ["REGION", "region"],
    ["SITE", "site"],
    ["POOL", "pool"],
    ["TYPE", "host_type"],
    ["TOTAL", "total"],
    ["USED", "used"],
    ["KEPT", "kept"],
    ["FREE", "free"],
    ["WAITING", "waiting"],
  ],
  intake: [
    ["PAUSED", "paused"],
    ["SINCE", "at"],
    ["BY", "by"],
  ],
  removal: [
    ["PAUSED", "paused"],
    ["SINCE", "at"],
    ["BY", "by"],
  ],
  credentials: [
    ["SERIAL", "serial"],
    ["USER", "user"],
    ["STATE", "state"],
    ["ISSUED", "issue_timestamp"],
    ["EXPIRES", "expiration_timestamp"],
  ],
  "revoke-credentials": [
    ["STATE", "state"],
    ["SINCE", "request_timestamp"],
  ],
} as const satisfies Record<string, readonly Row[]>;
