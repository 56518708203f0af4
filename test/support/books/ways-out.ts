import { numberWith } from "../../../core/resources/external-ip-pool/numbers.ts";
import { withoutSite } from "./at-site.ts";
import type { Check } from "./check.ts";
import type { SiteBooks } from "./site.ts";
import type { Table } from "./table.ts";

/**
 * The routers of tenants' networks translate to just the addresses that NAT gateways have, none has an address of a
 * pool otherwise, and an external IP says that a gateway has it just where one does. In an overlay each end translates to
 * the address of its network's gateway, or to that of the attachment at its NIC.
 */
export const waysOut: Check<SiteBooks> = {
  of: [],
  wrong({ table, world }) {
    const gateways = table.objects("nat_gateway");
    const made = gateways.filter(({ site, opened }) => site?.parts.way_out || opened);
    const wanted = made
      .filter(({ site }) => site)
      .map(({ spec, address }) => `${spec.virtual_network.id} by ${address}`);
    const routers = world.ledger().filter(({ owner }) => owner?.kind === "virtual_network");
    const seen = routers.map(({ kind, id, owner }) => {
      const address = withoutSite(id);
      return { kind, address, name: `${owner?.id} by ${address}` };
    });
    const open = seen.filter(({ kind }) => kind === "way_out").map(({ name }) => name);
    const pools = table.objects("external_ip_pool");
    const kept = seen.filter(
      ({ kind, address, name }) =>
        kind === "router_address" &&
        !wanted.includes(name) &&
        pools.some(({ spec }) => spec.site && numberWith(spec.cidrs, address) !== undefined),
    );
    const users = made.map(({ id, spec }) => `${spec.external_ip.id} for ${id}`);
    const attached = table
      .objects("external_ip")
      .flatMap(({ id, attached_to: user }) =>
        user?.kind === "nat_gateway" ? [`${id} for ${user.id}`] : [],
      );
    return [
      ...wrongAtEnds(table),
      ...without(wanted, open).map((name) => `the way out of ${name} is not there`),
      ...without(open, wanted).map((name) => `the way out of ${name} is no NAT gateway's`),
      ...kept.map(({ name }) => `the router of ${name} keeps an address of a pool`),
      ...without(users, attached).map((name) => `external IP ${name} says that nothing has it`),
      ...without(attached, users).map((name) => `external IP ${name} is attached to what has none`),
    ];
  },
};

function wrongAtEnds(table: Table): string[] {
  const gateways = table.objects("nat_gateway").filter(({ opened }) => opened);
  return table.objects("dpu").flatMap(({ id, stands = [], wanted: { host } = {} }) =>
    stands.flatMap(({ mac, network, external }) => {
      const gateway = gateways.find(({ spec }) => spec.virtual_network.id === network);
      const wanted = (external ?? gateway)?.address ?? "none";
      const has =
        host?.network === "overlay" && host.interfaces.find((each) => each.mac === mac)?.outside;
      const found = has ? has.address : "none";
      return found === wanted ? [] : [`DPU ${id} has ${found} outside instead of ${wanted}`];
    }),
  );
}

const without = (names: string[], others: string[]): string[] =>
  names.filter((name) => !others.includes(name));
