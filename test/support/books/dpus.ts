import { isDeepStrictEqual } from "node:util";
import type { BaremetalInstance } from "../../../core/resources/baremetal-instance/model.ts";
import type { Dpu } from "../../../core/resources/dpu/model.ts";
import { hasApplied } from "../../../core/resources/dpu/network.ts";
import { hostId } from "../../../sim/host.ts";
import type { Check } from "./check.ts";
import type { SiteBooks } from "./site.ts";
import type { Table } from "./table.ts";

/**
 * At rest the NICs behind a DPU stand where the server stands that has their host, and nowhere while none has it. DPUs
 * have just that in their configuration, and nothing of it is left on one. A host that is set aside is left as it is,
 * for a person to look at: it was proved off.
 */
export const dpus: Check<SiteBooks> = {
  of: [],
  wrong(books) {
    const { table, world, hosts } = books;
    const tenants = tenantsOf(books);
    const resting = table.objects("dpu").filter(({ spec, operation, quarantine }) => {
      const host = hosts.find(({ id }) => id === spec.host.id);
      const isUnderWay = [host, tenants.get(spec.host.id)].some((each) => each?.operation);
      return !operation && !quarantine && !isUnderWay && !host?.server?.quarantine;
    });
    const known = new Set(table.objects("dpu").map(nameOutside));
    const ledger = world.ledger().flatMap(({ system, kind, id }) => {
      if (system !== "dpu") return [];
      // Where there are several sites, an id begins with that of its site.
      const [dpu = "", ...what] = id.split("/").slice(kind === "overlay_interface" ? -4 : -2);
      return [{ dpu, what: [kind, ...what].join(" ") }];
    });
    return [
      ...resting.flatMap((dpu) => wrongStands(dpu, tenants.get(dpu.spec.host.id))),
      ...resting.flatMap((dpu) => {
        const found = ledger.filter((each) => each.dpu === nameOutside(dpu));
        const wanted = inWords(table, dpu);
        const has = found.map(({ what }) => what);
        return isDeepStrictEqual(has.toSorted(), wanted.toSorted())
          ? []
          : [`DPU ${dpu.metadata.name} has [${has.join(", ")}] instead of [${wanted.join(", ")}]`];
      }),
      ...resting.flatMap((dpu) =>
        dpu.leaving && hasApplied(dpu)
          ? [`DPU ${dpu.metadata.name} is an end of ${dpu.leaving.join(", ")} still`]
          : [],
      ),
      ...ledger.flatMap(({ dpu, what }) =>
        known.has(dpu) ? [] : [`${what} is left on ${dpu}, which is no DPU of a host`],
      ),
    ];
  },
};

const nameOutside = ({ metadata }: Dpu): string => hostId(metadata.name);

/** The servers that have hosts, by the hosts' ids. */
const tenantsOf = ({ table }: SiteBooks): Map<string, BaremetalInstance> =>
  new Map(
    table.objects("baremetal_instance").flatMap((instance) =>
      Object.values(instance.placement?.hosts ?? {})
        .flat()
        .map((host) => [host, instance] as const),
    ),
  );

/** Each NIC has an address of the server's in that subnet, and the groups that it has there. */
function wrongStands(dpu: Dpu, server: BaremetalInstance | undefined): string[] {
  return (dpu.stands ?? []).flatMap(({ mac, subnet, address, groups }) => {
    const place = server?.stands.findIndex((each) => each.subnet === subnet) ?? -1;
    const has = Object.values(server?.addresses?.[subnet] ?? {}).includes(address);
    const given = server?.spec.network_attachments[place]?.security_groups.map(({ id }) => id);
    return has && isDeepStrictEqual(groups, given)
      ? []
      : [`NIC ${mac} behind DPU ${dpu.metadata.name} is ${address} in ${subnet} for nobody`];
  });
}

/** What a DPU is to have of tenants' networks, as the ledger says it. */
const inWords = (table: Table, { stands = [] }: Dpu): string[] =>
  stands.flatMap(({ mac, network, address, external }) => {
    const vni = table.objects("virtual_network").find(({ id }) => id === network)?.vni;
    return [
      `overlay_interface ${mac} ${vni} ${address}`,
      ...(external ? [`announced_address ${external.address}`] : []),
    ];
  });
