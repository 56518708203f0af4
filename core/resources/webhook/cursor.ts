import { timestamp } from "../../clock.ts";
import type { Deps } from "../../kernel/deps.ts";
import {
  webhookCursorKey,
  webhookDuePartition,
  webhookPartition,
} from "../../kernel/object/log-keys.ts";
import { optimistically } from "../../kernel/store/optimistically.ts";
import { absent, eq, type Item, type Write } from "../../kernel/store/store.ts";

/** A webhook's progress in its tenant's event log, and when a sender has to continue. */
export interface WebhookCursor {
  webhook: string;
  tenant: string;
  /** In the log, behind the last entry that is finished. */
  position: string;
  /** Deliveries so far. */
  deliveries: number;
  /**
   * The entry that comes next: its position, the number of its delivery, its tries, and the time of
   * the first.
   */
  trying?: { position: string; delivery: number; tries: number; first_time: string };
  /** Set by a replay: older events are retried as if they were of this time. */
  since?: string;
  /** When to continue, in milliseconds of the clock; absent if there is nothing to do. */
  due?: number;
  /** The sender at work, and until when, in milliseconds of real time. */
  lease?: { holder: string; until: number };
  revision: number;
}

type CursorDeps = Pick<Deps, "store" | "clock">;

/** The cursor of a new webhook, which gets the events from now on. */
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
 * Changes a cursor, in one transaction with `writes`; undefined from `change` leaves it. Answers
 * the new cursor; undefined if it was left, or the webhook is gone.
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

/** Makes the webhook due in `wait` milliseconds, unless it is due already. */
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
 * Makes the webhook due now, also where it pauses after a failure: its owner has changed it, and may
 * have repaired what failed.
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
 * Called when a tenant's log has grown by an entry of this time. The webhooks that sleep wake once their
 * senders can read it; nothing is written for one that is awake, since its sender looks before it rests.
 */
export async function wakeWebhooks(
  deps: CursorDeps & Pick<Deps, "logTime">,
  tenant: string,
  time: number,
): Promise<void> {
  for (const cursor of await cursorsOf(deps, tenant))
    if (cursor.due === undefined) await wakeCursor(deps, cursor, deps.logTime.until(time));
}

/** The item is in the due index while there is something to do. */
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

/** Only this module writes such items. */
export const cursorIn = ({ cursor }: Item): WebhookCursor => cursor as unknown as WebhookCursor;
