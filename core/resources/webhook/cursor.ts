import { timestamp } from "../../clock.ts";
import type { Deps } from "../../kernel/deps.ts";
import {
  webhookCursorKey,
  webhookDuePartition,
  webhookPartition,
} from "../../kernel/object/log-keys.ts";
import { optimistically } from "../../kernel/store/optimistically.ts";
import { absent, eq, type Item, type Write } from "../../kernel/store/store.ts";

/** A webhook's progress in its tenant's event log, and the time at which a sender has to continue. */
export interface WebhookCursor {
  webhook: string;
  tenant: string;
  /** The position after the last finished entry. */
  position: string;
  /** The number of deliveries so far. */
  deliveries: number;
  /** The next entry: its position, the number of its delivery, its tries, and the time of the first try. */
  trying?: { position: string; delivery: number; tries: number; first_time: string };
  /** Set by a replay: older events are retried as long as if they were of this time. */
  since?: string;
  /** When to continue, in milliseconds of the clock; absent without anything to do. */
  due?: number;
  /** The sender at work, and the end of its lease in milliseconds of real time. */
  lease?: { holder: string; until: number };
  revision: number;
}

type CursorDeps = Pick<Deps, "store" | "clock">;

/** The cursor of a new webhook, for events from now on. */
export function newCursor(tenant: string, webhook: string, position: string): Write {
  return {
    put: itemOf({ webhook, tenant, position, deliveries: 0, revision: 1 }),
    if: absent,
  };
}

async function readCursor(
  { store }: Pick<Deps, "store">,
  tenant: string,
  webhook: string,
): Promise<WebhookCursor | undefined> {
  const item = await store.get(webhookCursorKey(tenant, webhook));
  return item && cursorIn(item);
}

/** The cursors of all webhooks of a tenant. */
async function cursorsOf({ store }: CursorDeps, tenant: string): Promise<WebhookCursor[]> {
  const { items } = await store.query({ pk: webhookPartition(tenant) });
  return items.map(cursorIn);
}

/**
 * Changes a cursor, in one transaction with `writes`; if `change` returns undefined, nothing is written. Returns the
 * new cursor; undefined if nothing was written, or the webhook is deleted.
 */
export function editCursor(
  deps: CursorDeps,
  { tenant, webhook }: Pick<WebhookCursor, "tenant" | "webhook">,
  change: (cursor: WebhookCursor) => { cursor: WebhookCursor; writes?: Write[] } | undefined,
): Promise<WebhookCursor | undefined> {
  return optimistically(deps.store, async () => {
    const before = await readCursor(deps, tenant, webhook);
    const changed = before && change(before);
    if (!changed) return { writes: [], result: undefined };
    const cursor = { ...changed.cursor, revision: before.revision + 1 };
    const put = { put: itemOf(cursor), if: eq("revision", before.revision) };
    return { writes: [put, ...(changed.writes ?? [])], result: cursor };
  });
}

/** Makes the webhook due in `wait` milliseconds, unless it has a due time already. */
export async function wakeCursor(
  deps: CursorDeps,
  cursor: Pick<WebhookCursor, "tenant" | "webhook">,
  wait = 0,
): Promise<void> {
  const due = deps.clock.now() + wait;
  await editCursor(deps, cursor, (current) =>
    current.due === undefined ? { cursor: { ...current, due } } : undefined,
  );
}

/**
 * Makes the webhook due now, even during a pause after a failure, because its owner has changed it and may have
 * repaired the failure.
 */
export async function endPause(
  deps: CursorDeps,
  cursor: Pick<WebhookCursor, "tenant" | "webhook">,
): Promise<void> {
  const now = deps.clock.now();
  await editCursor(deps, cursor, (current) =>
    current.due === undefined || current.due > now
      ? { cursor: { ...current, due: now } }
      : undefined,
  );
}

/**
 * Wakes the webhooks of a tenant after an entry of this time was added to its log, from the time at which senders can
 * read it. A webhook that is awake needs no write, because its sender checks the log before it rests.
 */
export async function wakeWebhooks(
  deps: CursorDeps & Pick<Deps, "logTime">,
  tenant: string,
  time: number,
): Promise<void> {
  for (const cursor of await cursorsOf(deps, tenant))
    if (cursor.due === undefined) await wakeCursor(deps, cursor, deps.logTime.until(time));
}

/** The item is in the due index only while there is something to do. */
function itemOf(cursor: WebhookCursor): Item {
  const { tenant, webhook, due } = cursor;
  const index: Record<string, string> =
    due === undefined
      ? {}
      : { g2pk: webhookDuePartition(webhook), g2sk: `${timestamp(due)}#${webhook}` };
  return {
    ...webhookCursorKey(tenant, webhook),
    ...index,
    revision: cursor.revision,
    cursor: JSON.parse(JSON.stringify(cursor)),
  };
}

/** Only this module writes these items. */
export const cursorIn = ({ cursor }: Item): WebhookCursor => cursor as unknown as WebhookCursor;
