import * as fc from "fast-check";
import ipaddr from "ipaddr.js";
import { expect, it } from "vitest";
import type { TestRule } from "../../support/packets.ts";
import { seeded } from "../../support/random.ts";
import {
  type Member,
  outside,
  type Question,
  type RandomWorld,
  randomWorld,
} from "../../support/random-packets.ts";
import { tries } from "../../support/seed.ts";

it("takes each packet where a rule lets it in and another lets it out, and no other packet", async () => {
  await fc.assert(
    fc.asyncProperty(fc.nat(), async (number) => {
      const random = await randomWorld(seeded(number));
      const { sim } = random.world.test;
      for (const question of random.questions) {
        const { from, to, protocol, port } = question;
        const { arrives } = sim.reaches(from, to, protocol, port);
        expect({ ...question, arrives }).toEqual({ ...question, arrives: isLet(random, question) });
      }
    }),
    tries(10),
  );
});

/** The rules in short: who may reach whom, by what the tenants have ordered. */
function isLet(random: RandomWorld, { from, to, protocol, port }: Question): boolean {
  const { members } = random;
  const by = (place: Question["to"]) =>
    members.find((one) =>
      "nic" in place
        ? one.mac === place.nic
        : one.floatingIp === place.address ||
          (isV6(place.address) && one.addresses.includes(place.address)),
    );
  const [a, b] = ["nic" in from ? by(from) : undefined, by(to)];
  const isFloating = "address" in to && !isV6(to.address);
  const destination = "address" in to ? to.address : (b?.addresses.find((one) => !isV6(one)) ?? "");
  const allows = (member: Member, direction: TestRule["direction"], other: string) =>
    member.groups
      .flatMap((group) => random.rules.get(group) ?? [])
      .some(
        (rule) =>
          rule.direction === direction &&
          isFor(rule, isV6(destination), protocol, port) &&
          isOther(rule, other, members),
      );
  if (a && !allows(a, "egress", destination)) return false;
  if (b && !isFloating) {
    const own = a?.addresses.find((one) => isV6(one) === isV6(destination)) ?? "";
    return a !== undefined && a.router === b.router && allows(b, "ingress", own);
  }
  const seen = a ? (a.floatingIp ?? random.translated.get(a.router)) : outside;
  if (seen === undefined) return false;
  return b ? allows(b, "ingress", seen) : destination === outside;
}

const isV6 = (address: string): boolean => address.includes(":");

function isFor(rule: TestRule, isOfV6: boolean, protocol: string, port: number): boolean {
  if ((rule.ethertype === "IPv6") !== isOfV6) return false;
  if (rule.protocol === undefined) return true;
  if (rule.protocol.replace("ipv6-", "") !== protocol) return false;
  const { port_range_min: min = 0, port_range_max: max = 65_535 } = rule;
  return min <= port && port <= max;
}

function isOther(rule: TestRule, address: string, members: readonly Member[]): boolean {
  const { remote_ip_prefix: prefix, remote_group_id: group } = rule;
  if (prefix !== undefined) return ipaddr.parse(address).match(ipaddr.parseCIDR(prefix));
  if (group === undefined) return true;
  return members.some((one) => one.groups.includes(group) && one.addresses.includes(address));
}
