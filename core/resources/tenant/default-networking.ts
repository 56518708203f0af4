import type { ObjectOf } from "../../kernel/object/object-of.ts";
import { liveIn } from "../../kernel/object/records.ts";
import type { Relaying } from "../../kernel/relay/relay.ts";
import type { Item, StreamRecord } from "../../kernel/store/store.ts";
import { defaultClass } from "../network-class/default.ts";
import { defaultName, orderedBy } from "./default-objects.ts";

/**
 * The default networking of new tenants, if the default class has it: a network and, once it is READY, a subnet and a
 * security group in it.
 */

/** Orders the next part for a new tenant. Throws errors that another try may resolve. */
export async function followNewTenants(deps: Relaying, record: StreamRecord): Promise<void> {
  const of = (item: Item | undefined) => liveIn(deps.kinds, followed, item);
  const [before, after] = [of(record.before), of(record.after)];
  if (after?.kind === "tenant") {
    const found = before ? undefined : await defaultClass(deps);
    if (found?.spec.defaults) await (await ordering()).orderNetwork(deps, after, found);
  } else if (after && isDefault(after) && isReady(after)) {
    const wasReady = before?.kind === "virtual_network" && isReady(before);
    if (!wasReady) await (await ordering()).orderParts(deps, after);
  }
}

/** Loaded when needed, because few changes in the store concern a new tenant. */
const ordering = () => import("./order-networking.ts");

/** The kinds whose changes are followed. */
const followed = ["tenant", "virtual_network"] as const;

const isDefault = ({ metadata }: ObjectOf["virtual_network"]): boolean =>
  metadata.name === defaultName && metadata.creator === orderedBy;

const isReady = ({ status }: ObjectOf["virtual_network"]): boolean =>
  status.state === "VIRTUAL_NETWORK_STATE_READY";
