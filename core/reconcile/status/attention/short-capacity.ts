import type { Operation } from "../../../kernel/saga/operation.ts";
import { lackingByWords } from "../../../placement/choose/waiting-text.ts";
import type { Standing } from "../../capacity.ts";
import type { Attention, WaitGroup } from "../schema.ts";
import { openWaits } from "../waits.ts";

/**
 * Capacity that only the provider can add and that orders have waited for too long: an entry for each thing, not for
 * each order.
 */

/** The parts of the status that say what is short. */
export interface CapacityWaits {
  waits: readonly WaitGroup[];
  /** All operations that were read. */
  operations: readonly Operation[];
  standing: readonly Standing[];
  /** The names of the sites with pools, by id. */
  siteNames: ReadonlyMap<string, string>;
}

/** An entry for each queue with a stalled order in it. Pure. */
export function shortCapacity({
  waits,
  operations,
  standing,
  siteNames,
}: CapacityWaits): Attention[] {
  const short = waits.filter(({ waits_for, stalled }) => waits_for !== undefined && stalled > 0);
  const byId = new Map(operations.map((operation) => [String(operation.id), operation]));
  return short.map((group) => {
    const queue = standing.find((each) => isFor(each, group));
    const [first] = [...(queue?.operations ?? [])].flatMap((id) => byId.get(id) ?? []);
    const wait = first && openWaits(first).find(({ instance }) => instance === undefined);
    const { message } = wait ?? group.example;
    const { more = "", ...what } = missing(group, first, siteNames);
    const orders =
      group.operations === 1
        ? "1 order waits for"
        : `${group.operations} orders wait, the first in the queue for`;
    return {
      ...{ reason: "CapacityShort", ...what },
      message: `${orders} ${message}${more}`,
      since: group.since ?? "",
      operation: first?.id ?? group.example.operation,
    };
  });
}

const isFor = (queue: Standing, { waits_for, host_type, site }: WaitGroup): boolean =>
  queue.waits_for === waits_for && queue.host_type === host_type && queue.site === site;

type What = Pick<Attention, "kind" | "id" | "name" | "tenant">;

/** The scarce thing, what more of it would solve, and the command that adds it. */
function missing(
  { waits_for, host_type, site, example }: WaitGroup,
  first: Operation | undefined,
  names: ReadonlyMap<string, string>,
): What & Pick<Attention, "command"> & { more?: string } {
  if (host_type !== undefined) {
    const type = { kind: "host_type", id: host_type, name: host_type, tenant: "shared" };
    const nearest = nearestHub(first, host_type);
    if (!nearest) return { ...type, command: "slipway capacity" };
    const { hub, lacking } = nearest;
    return {
      ...type,
      more: `; ${lacking} more at hub ${hub} would be enough`,
      command: `slipway host create NAME --host-type ${host_type} --hub ${hub}`,
    };
  }
  if (site !== undefined) {
    const name = names.get(site) ?? site;
    const option = { vlans: "--vlans FIRST-LAST", floating_ips: "--floating-ips FIRST-LAST" };
    const extend = option[waits_for as keyof typeof option];
    return {
      ...{ kind: "site", id: site, name, tenant: "shared" },
      command:
        extend === undefined
          ? `slipway site pools ${name}`
          : `slipway site extend ${name} ${extend}`,
    };
  }
  const { kind, id, name, tenant } = example;
  return {
    ...{ kind, id, name, tenant },
    command: waits_for === "control_planes" ? "slipway capacity" : "slipway hub list",
  };
}

/** The hub that lacks the fewest hosts for an operation, according to its last attempt. */
function nearestHub(
  operation: Operation | undefined,
  hostType: string,
): { hub: string; lacking: number } | undefined {
  const { rejected = [] } = operation?.placement ?? {};
  const hubs = rejected.flatMap(({ hub, reason }) => {
    const lacking = lackingByWords(reason, hostType);
    return lacking === undefined || lacking <= 0 ? [] : [{ hub, lacking }];
  });
  return hubs.sort((a, b) => a.lacking - b.lacking)[0];
}
