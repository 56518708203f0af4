import { poolOf } from "../../at-site/pools.ts";
import type { PoolUse, Site, SiteNetwork } from "../../at-site/site.ts";
import type { NumberCandidate } from "./numbers.ts";
import { type Known, siteRecordOf } from "./owner.ts";
import type { Holding } from "./schema.ts";

/** The numbers of a site's pools, for queries for their owners. */

export interface SiteWithNetwork {
  site: Site;
  network: SiteNetwork;
}

type Asked = Pick<Holding, "kind" | "value"> & Pick<NumberCandidate, "part" | "role">;

/** A number of each pool, from its text. */
export const ofPool: Record<PoolUse, (value: string) => Asked> = {
  vlans: (value) => ({ kind: "vlan", value, part: "layer2" }),
  prefixes: (value) => ({ kind: "prefix", value, part: "layer3" }),
  floating_ips: (value) => ({ kind: "ip", value, part: "floating_ips", role: useOf(value) }),
};

/** A number of a site's pool; undefined for a number outside of the pool. */
export function candidateOf(
  { site, network }: SiteWithNetwork,
  use: PoolUse,
  number: number,
  { kind, value, ...more }: Asked,
): NumberCandidate[] {
  const pool = poolOf(site, network, use);
  if (number < pool.first || number >= pool.first + pool.size) return [];
  const restsInNetbox = site.spec.allocator?.given_out_by === "netbox";
  const place = { kind, value, site: site.id, pool: use };
  return [{ place, pool, number, restsInNetbox, ...more }];
}

/** The use of an outside address by its owner. */
const useOf =
  (address: string) =>
  ({ object }: Known): string | undefined => {
    const ips = siteRecordOf(object)?.floating_ips;
    const [use] = Object.entries(ips ?? {}).find(([, ip]) => ip === address) ?? [];
    return use && `its ${use} from outside`;
  };
