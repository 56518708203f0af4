import { eventSchema } from "../../core/events/events.ts";
import { isPlausibleId, notFound, sees } from "../../core/order/caller.ts";
import { archiveKey, loggedKey, logKey, objectKey } from "../../core/store/keys.ts";
import { objectIn } from "../../core/store/records.ts";
import { wireSchemas } from "../../core/view/view.ts";
import type { Call } from "./call.ts";
import { osacEvent } from "./event-form.ts";
import { listQuery } from "./list/query.ts";

/** The events of a cluster from the first that is still kept; also of one that is gone. */
export async function historyAnswer(call: Call): Promise<Response> {
  const { store } = call.deps;
  const id = call.param("id");
  if (!isPlausibleId(id)) throw notFound(id);
  const item =
    (await store.get(objectKey("cluster", id))) ?? (await store.get(archiveKey("cluster", id)));
  const cluster = item && objectIn<"cluster">(item);
  if (!cluster || !sees(call.caller, cluster)) throw notFound(id);

  const { limit, token } = listQuery(call, wireSchemas.cluster);
  const { pk } = loggedKey("cluster", id, 0);
  const page =
    limit === 0
      ? { items: [] }
      : await store.query({ pk, limit, ...(token === undefined ? {} : { cursor: token }) });
  const keys = page.items.map((logged) => logKey(cluster.metadata.tenant, Number(logged.position)));
  const events = (await store.getMany(keys)).flatMap((entry) => {
    const event = eventSchema.safeParse(entry?.event).data;
    const form = event && (call.profile === "osac" ? osacEvent(event, "osac") : event);
    return form ? [form] : [];
  });
  const next = "cursor" in page ? page.cursor : undefined;
  return call.c.json({
    size: events.length,
    // Sequences have no gaps, so the last one is the count.
    total: cluster.event.sequence,
    items: events,
    ...(next === undefined ? {} : { next_page_token: next }),
  });
}
