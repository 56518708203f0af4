import { timestamp } from "../clock.ts";
import type { Deps } from "../deps.ts";
import { webhookCursorKey, webhookDuePartition, webhookPartition } from "../kernel/object/keys.ts";
import { optimistically } from "../kernel/object/records.ts";
import { absent, eq, type Item, type Write } from "../kernel/store/store.ts";

/** How far a webhook is in its tenant's event log, and when somebody has to see to it. */
export interface WebhookCursor {
  webhook: string;
  tenant: string;
  /** The last entry of the log that is done with. */
  position: number;
  /** Deliveries so far. */
  deliveries: number;
  /** Of the entry that is next: where it is, the number of its delivery, its tries, the first of them. */
  trying?: { position: number; delivery: number; tries: number; first_time: string };
  /** Events from before are retried as if they were from then: a replay was asked for. */
  since?: string;
  /** When to go on, in milliseconds of the clock; nothing is to be done while it is absent. */
  due?: number;
  /** Who is delivering, until when in milliseconds of real time. */
  lease?: { holder: string; until: number };
  revision: number;
}

type CursorDeps = Pick<Deps, "store" | "clock">;

/** Of a new webhook: it gets what happens from now on. */
export function newCursor(tenant: string, webhook: string, position: number): Write {
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
 * Changes a cursor, in one transaction with more writes; undefined from `change` leaves it. Answers
 * it as it is then; undefined when it is left, or the webhook gone.
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

/** Has somebody see to it soon, unless somebody will anyway. */
export async function wakeCursor(
  deps: CursorDeps,
  cursor: Pick<WebhookCursor, "tenant" | "webhook">,
): Promise<void> {
  await editCursor(deps, cursor, (current) =>
    current.due === undefined ? { cursor: { ...current, due: deps.clock.now() } } : undefined,
  );
}

/** A tenant's log has grown. */
export async function wakeWebhooks(deps: CursorDeps, tenant: string): Promise<void> {
  for (const cursor of await cursorsOf(deps, tenant))
    if (cursor.due === undefined) await wakeCursor(deps, cursor);
}

/** In the due index while something is to be done. */
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
