import type { Place, Protocol } from "../../sim/packets/packets.ts";
import { PacketWorld, type TestNic, type TestRule } from "./packets.ts";

/** A NIC of a tenant, and what it was given. */
export interface Member extends TestNic {
  router: string;
  groups: readonly string[];
  floatingIp: string | undefined;
  /** No machine's: it only answers. */
  isHeld?: true;
}

export interface Question {
  from: Place;
  to: Place;
  protocol: Protocol;
  port: number;
}

export interface RandomWorld {
  world: PacketWorld;
  members: readonly Member[];
  rules: ReadonlyMap<string, readonly TestRule[]>;
  /** The outside addresses of routers that translate. */
  translated: ReadonlyMap<string, string>;
  questions: readonly Question[];
}

export const outside = "198.51.100.7";

/**
 * Two tenants whose prefixes are the same, each with a router, subnets of both families, some NICs, addresses that
 * somebody announces, groups and floating IPs; and a question from everybody to everybody.
 */
export async function randomWorld(random: () => number): Promise<RandomWorld> {
  const dice = new Dice(random);
  const world = new PacketWorld();
  const { groups, rules } = await makeGroups(world, dice);
  const members: Member[] = [];
  const translated = new Map<string, string>();
  for (const tenant of [1, 2]) {
    const isTranslated = dice.chance(0.5);
    const router = await world.router({ enable_snat: isTranslated });
    // As a NAT gateway has it, or has had it.
    const named = dice.of(undefined, `203.0.113.${70 + tenant}`);
    if (named) await world.gateway(router, named, isTranslated);
    if (isTranslated) translated.set(router, await outsideAddress(world, router));
    for (const number of [1, 2]) {
      const subnet = await world.subnet(
        router,
        `10.0.${number}.0/24`,
        `fd00:${tenant}:${number}::/64`,
      );
      for (let nics = 1 + dice.below(2); nics > 0; nics--) {
        const own = groups.filter(() => dice.chance(0.5));
        const nic = await world.nic(subnet, own);
        const floatingIp = dice.chance(0.3) ? await world.floatingIp(nic) : undefined;
        members.push({ ...nic, router, groups: own, floatingIp });
      }
      if (dice.chance(0.5)) continue;
      const own = groups.filter(() => dice.chance(0.5));
      const held = await world.holder(subnet, own);
      const floatingIp = await world.floatingIp(held);
      members.push({ ...held, router, groups: own, floatingIp, isHeld: true });
    }
  }
  await world.settle();
  const questions = questionsOf(members, [...translated.values()], dice);
  return { world, members, rules, translated, questions };
}

class Dice {
  readonly #random: () => number;

  constructor(random: () => number) {
    this.#random = random;
  }

  chance(share: number): boolean {
    return this.#random() < share;
  }

  below(limit: number): number {
    return Math.floor(this.#random() * limit);
  }

  of<T>(first: T, ...rest: T[]): T {
    return rest[this.below(rest.length + 1)] ?? first;
  }
}

async function outsideAddress(world: PacketWorld, router: string): Promise<string> {
  const { body } = await world.test.ask("GET", `/v2.0/routers/${router}`);
  return body.router.external_gateway_info.external_fixed_ips[0].ip_address;
}

/** Groups whose rules may name each other. */
async function makeGroups(world: PacketWorld, dice: Dice) {
  const groups = [await world.group(), await world.group(), await world.group()];
  const rules = new Map<string, TestRule[]>();
  for (const group of groups) {
    const wanted = new Map<string, TestRule>();
    for (let count = 1 + dice.below(6); count > 0; count--) {
      const rule = randomRule(dice, groups);
      wanted.set(JSON.stringify(rule), rule);
    }
    for (const rule of wanted.values()) await world.rule(group, rule);
    rules.set(group, [...wanted.values()]);
  }
  return { groups, rules };
}

function randomRule(dice: Dice, groups: readonly string[]): TestRule {
  const ethertype = dice.of("IPv4", "IPv4", "IPv6");
  const prefixes =
    ethertype === "IPv4"
      ? dice.of("10.0.1.0/24", "10.0.0.0/16", "203.0.113.0/24", "198.51.100.0/24")
      : dice.of("fd00:1:1::/64", "fd00::/16");
  const [port_range_min = 80, port_range_max = 80] = dice.of([80, 80], [1, 65_535], [79, 81]);
  const ports = { port_range_min, port_range_max };
  return {
    direction: dice.of("ingress", "egress"),
    ethertype,
    ...dice.of<object>(
      {},
      { protocol: "tcp" },
      { protocol: "tcp", ...ports },
      { protocol: "udp", ...ports },
      { protocol: ethertype === "IPv4" ? "icmp" : "ipv6-icmp" },
    ),
    ...dice.of<object>(
      {},
      { remote_ip_prefix: prefixes },
      {
        remote_group_id: groups[dice.below(groups.length)],
      },
    ),
  };
}

function questionsOf(
  members: readonly Member[],
  translated: readonly string[],
  dice: Dice,
): Question[] {
  const floating = members.flatMap(({ floatingIp }) => floatingIp ?? []);
  const known = [...floating, ...translated, outside, "203.0.113.200"].map((address) => ({
    address,
  }));
  const inside = members.flatMap(({ mac, addresses, isHeld }) => [
    ...(isHeld ? [] : [{ nic: mac }]),
    ...addresses.filter((one) => one.includes(":")).map((address) => ({ address })),
  ]);
  const machines = members.filter(({ isHeld }) => !isHeld);
  const froms: Place[] = [...machines.map(({ mac }) => ({ nic: mac })), { address: outside }];
  return froms.flatMap((from) =>
    [...known, ...inside]
      .filter((to) => !isSame(from, to, members))
      .map((to) => ({
        from,
        to,
        protocol: dice.of<Protocol>("tcp", "tcp", "udp", "icmp"),
        port: dice.of(80, 80, 81, 8),
      })),
  );
}

/** Whether a question would lead from somebody to itself. */
function isSame(from: Place, to: Place, members: readonly Member[]): boolean {
  if (!("nic" in from)) return "address" in to && to.address === from.address;
  const own = members.find(({ mac }) => mac === from.nic);
  return "nic" in to
    ? to.nic === from.nic
    : to.address === own?.floatingIp || (own?.addresses.includes(to.address) ?? false);
}
