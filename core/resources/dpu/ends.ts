import { overlayEndPartition } from "../../kernel/object/keys.ts";
import { load, mustLoad, type Records } from "../../kernel/object/records.ts";
import { everyItem } from "../../kernel/store/pages.ts";
import { wayOutOf } from "../nat-gateway/claim.ts";
import type { NatGateway } from "../nat-gateway/model.ts";
import { directions } from "../security-group/rules.ts";
import type { Dpu, DpuStand } from "./model.ts";
import { hasApplied } from "./network.ts";
import { type Overlay, standsOf } from "./overlay.ts";

/** The DPUs that have parts of a network, or may still have them. Strongly consistent. */
export async function endsOf(records: Records, network: string): Promise<Dpu[]> {
  const items = await everyItem(records.store, { pk: overlayEndPartition(network) });
  const found = await Promise.all(items.map(({ sk }) => load(records, "dpu", sk)));
  return found.filter((dpu) => dpu !== undefined);
}

/**
 * Reads the present networks, each with its DPUs. `dpu` is used as given, whether or not it counts among a network's
 * DPUs yet.
 */
export async function overlaysOf(
  records: Records,
  networks: Iterable<string>,
  dpu?: Dpu,
): Promise<Map<string, Overlay>> {
  const read = await Promise.all(
    [...new Set(networks)].map(async (id): Promise<[string, Overlay]> => {
      const others = (await endsOf(records, id)).filter((end) => end.id !== dpu?.id);
      const ends = dpu ? [...others, dpu] : others;
      const stands = ends.flatMap(standsOf).filter((each) => each.network === id);
      return [id, await overlayWith(records, id, ends, stands)];
    }),
  );
  return new Map(read);
}

async function overlayWith(
  records: Records,
  id: string,
  ends: Dpu[],
  stands: readonly DpuStand[],
): Promise<Overlay> {
  const [network, wayOut, subnets, groups] = await Promise.all([
    mustLoad(records, "virtual_network", id),
    openWayOut(records, id),
    all(records, "subnet", new Set(stands.map(({ subnet }) => subnet))),
    all(records, "security_group", new Set(stands.flatMap((stand) => stand.groups))),
  ]);
  const named = new Set(
    [...groups.values()].flatMap(({ spec }) =>
      directions.flatMap((direction) =>
        spec[direction].flatMap(({ security_group: group }) => (group ? [group.id] : [])),
      ),
    ),
  );
  const others = await all(records, "security_group", named.difference(new Set(groups.keys())));
  return {
    ...{ network, ends, subnets, groups: new Map([...groups, ...others]) },
    ...(wayOut && { wayOut }),
  };
}

/** The NAT gateway of a network; undefined if it has none, or is closing it. */
async function openWayOut(records: Records, network: string): Promise<NatGateway | undefined> {
  const claim = await wayOutOf(records.store, network);
  const gateway = claim && (await load(records, "nat_gateway", String(claim.nat_gateway)));
  return gateway?.opened ? gateway : undefined;
}

async function all<K extends "subnet" | "security_group">(
  records: Records,
  kind: K,
  ids: ReadonlySet<string>,
) {
  const found = await Promise.all([...ids].map((id) => mustLoad(records, kind, id)));
  return new Map(found.map((object) => [object.id, object]));
}

/**
 * Whether a DPU has applied at least this version of a network, subnet or group, by its report. Also true if
 * its configuration does not include the object.
 */
export function hasVersion(dpu: Dpu, id: string, version: number): boolean {
  const host = dpu.wanted?.host;
  const wanted = host?.network === "overlay" ? host.versions[id] : undefined;
  return hasApplied(dpu) && (wanted === undefined || wanted >= version);
}
