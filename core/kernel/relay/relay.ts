import { deletedOf, formerOf } from "../events/former.ts";
import { type Publishing, publish, publishMissed } from "../events/publish.ts";
import type { Kinds } from "../object/kind.ts";
import type { Kind } from "../object/object.ts";
import type { ObjectOf } from "../object/object-of.ts";
import { isOfObject, objectIn } from "../object/records.ts";
import type { Shapes } from "../saga/settle.ts";
import type { Item, StreamRecord } from "../store/store.ts";
import { type Reaction, type ReactionDeps, type Reactions, reactionOf } from "./reaction.ts";

/** The needs of the relay beside `Deps`: how kinds are shown, and the reactions to changes. */
export interface Relaying extends Publishing, ReactionDeps {
  reactions: Reactions;
  /** Reactions to changes of items that are not objects, such as tickets, or to changes that other kinds follow. */
  listeners: readonly ((deps: Relaying, record: StreamRecord) => Promise<void>)[];
}

/**
 * The only reader of the store's stream. It continues what accepted requests began: it publishes events, starts
 * executions, passes on cancellations and resumptions, wakes queues whose capacity was freed, and notifies the sender
 * of webhooks. Every part is idempotent. Throws when a record could not be handled; the stream then repeats the record.
 */
export async function relay(deps: Relaying, shapes: Shapes, record: StreamRecord): Promise<void> {
  for (const listener of deps.listeners) await listener(deps, record);
  const before = objectOf(deps.kinds, record.before);
  const after = objectOf(deps.kinds, record.after);
  if (before && !after && !isArchived(record)) {
    await publishLast(deps, before);
    await reactionTo(deps, before)?.removed?.(deps, before);
  }
  if (!after) return;
  const isNew = before === undefined || before.event.sequence < after.event.sequence;
  if (isNew && !isArchived(record)) await publishNext(deps, before, after);
  const reaction = reactionTo(deps, after);
  if (isArchived(record)) await reaction?.archived?.(deps, after);
  else await reaction?.changed?.({ ...deps, shapes }, before, after);
}

/** Publishes the event of a change, after the event that `before` has. */
async function publishNext(
  deps: Relaying,
  before: ObjectOf[Kind] | undefined,
  after: ObjectOf[Kind],
): Promise<void> {
  const previous = before ?? (await formerOf(deps, after));
  await publish(deps, after, previous && (await publishMissed(deps, previous)));
}

/**
 * Publishes the event of an object's deletion, which the archived item has. The record of the deletion triggers it, not
 * the record of the archived item: the latter may precede other records of the object, but this event must be the
 * object's last.
 */
async function publishLast(deps: Relaying, before: ObjectOf[Kind]): Promise<void> {
  const earlier = await publishMissed(deps, before);
  const last = await deletedOf(deps, before);
  if (last) await publish(deps, last, earlier);
}

const reactionTo = (
  { reactions }: Relaying,
  { kind }: ObjectOf[Kind],
): Reaction<Kind> | undefined => reactionOf(reactions, kind);

const isArchived = (record: StreamRecord): boolean => record.key.pk.startsWith("archive#");

const objectOf = (kinds: Kinds, item: Item | undefined): ObjectOf[Kind] | undefined =>
  item && isOfObject(item) ? objectIn(kinds, item) : undefined;
