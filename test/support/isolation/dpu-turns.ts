import * as fc from "fast-check";
import { dpuName } from "../dpus.ts";
import { type Asked, named, order, removal, rules, turns } from "./turns.ts";
import type { Turn } from "./walk.ts";

/** Turns of tenants with servers behind DPUs, of which some fall silent now and then. */

/** The servers of the world. */
export const numbers = [1, 2, 3];

const groups = ["web", "db"];
const ips = ["one", "two"];

const anyRules = rules(
  ["PROTOCOL_ALL", "PROTOCOL_ICMP"],
  groups,
  ["0.0.0.0/0", "0.0.0.0/0", "10.20.1.0/24", "10.20.2.0/24", "198.51.100.0/24"].map(
    (ipv4_cidr) => ({ ipv4_cidr }),
  ),
);
const some = fc.subarray(groups);
const places = fc.oneof(
  fc
    .tuple(named(["web", "db", "desk"]), some)
    .map(([subnet, security_groups]) => [
      { subnet, interface: "eno1", primary: true, ...(subnet !== "desk" && { security_groups }) },
    ]),
  fc.tuple(some, some).map(([one, other]) => [
    { subnet: "web", interface: "eno1", primary: true, security_groups: one },
    { subnet: "db", interface: "eno2", security_groups: other },
  ]),
);
const server = places.map((network_attachments) => ({ network_attachments }));

const asked = fc.oneof<fc.WeightedArbitrary<Asked>[]>(
  { weight: 4, arbitrary: order("baremetal_instances", ["front"], server) },
  {
    weight: 3,
    // There are as many hosts as servers: nobody waits for another's.
    arbitrary: order("baremetal_instances", ["back"], server).map((turn) => ({
      ...turn,
      tenant: "a" as const,
    })),
  },
  {
    weight: 3,
    arbitrary: order(
      "security_groups",
      groups,
      fc.record({ virtual_network: fc.constant("shop"), ingress: anyRules, egress: anyRules }),
    ),
  },
  {
    weight: 2,
    arbitrary: order(
      "external_ip_attachments",
      ips,
      fc.record({ external_ip: named(ips), baremetal_instance: named(["front", "back"]) }),
    ),
  },
  {
    weight: 1,
    arbitrary: order(
      "nat_gateways",
      ["shop"],
      fc.record({ virtual_network: fc.constant("shop"), external_ip: named(ips) }),
    ),
  },
  { weight: 5, arbitrary: removal("baremetal_instances", ["front", "back"]) },
  {
    weight: 2,
    arbitrary: fc.oneof(
      removal("external_ip_attachments", ips),
      removal("nat_gateways", ["shop"]),
      removal("security_groups", groups),
    ),
  },
);

const controllers = numbers.map((number) => `bmc:server-${number}` as const);

/** Longer than a removal waits for a DPU, and shorter than a change of rules does. */
const silence = fc.record({
  fault: fc.record({
    target: fc
      .tuple(fc.constantFrom(...numbers), fc.nat(1))
      .map(([number, n]): `bmc:${string}` => `bmc:${dpuName(number, n)}`),
    operation: named(["agent", "applied", "sessions"]),
    fault: fc.constant("hold" as const),
  }),
  minutes: fc.integer({ min: 1, max: 50 }),
});

export const dpuTurns: fc.Arbitrary<Turn> = fc
  .tuple(turns(asked, controllers, {}), fc.option(silence, { nil: undefined, freq: 2 }))
  .map(([{ refused: _, ...turn }, silent]) => ({ ...turn, ...(silent && { silent }) }));
