import type { Wire } from "../test/support/site.ts";
import type { Chance } from "./chance.ts";

/** Tenants' changes of node sets: they grow, shrink, are created, deleted and exchanged. */

/** The possible node sets, with their host types. */
const hostTypes: Record<string, string> = { workers: "fc430", infra: "fc430", gpu: "h100" };
/** The most hosts of a type at a hub. */
const most = 6;

type Sizes = Record<string, number>;

const sizes = (nodeSets: Wire): Sizes =>
  Object.fromEntries(Object.entries<Wire>(nodeSets).map(([name, { size }]) => [name, size]));

const withoutOne = (all: Sizes, name: string): Sizes =>
  Object.fromEntries(Object.entries(all).filter(([other]) => other !== name));

type Wish = (now: Sizes, chance: Chance) => Sizes;

const grow: Wish = (now, { pick, below }) => {
  const name = pick(Object.keys(now));
  return { ...now, [name]: Math.min(most, (now[name] ?? 0) + 1 + below(2)) };
};
const shrink: Wish = (now, { pick, below }) => {
  const name = pick(Object.keys(now));
  return { ...now, [name]: Math.max(0, (now[name] ?? 0) - 1 - below(2)) };
};
const wishes: Record<string, Wish> = {
  up: grow,
  down: shrink,
  "up and down": (now, chance) => shrink(grow(now, chance), chance),
  add(now, { pick, below }) {
    const absent = Object.keys(hostTypes).filter((name) => !(name in now));
    return absent.length === 0 ? now : { ...now, [pick(absent)]: 1 + below(2) };
  },
  remove(now, { pick }) {
    const names = Object.keys(now);
    return names.length < 2 ? now : withoutOne(now, pick(names));
  },
  replace(now, { pick, below }) {
    const absent = Object.keys(hostTypes).filter((name) => !(name in now));
    return absent.length === 0 ? now : { [pick(absent)]: 1 + below(3) };
  },
};

/** Other node sets for a cluster, and the name of the change. */
export function scaled(nodeSets: Wire, chance: Chance): { name: string; node_sets: object } {
  const name = chance.pick(Object.keys(wishes));
  const wanted = wishes[name]?.(sizes(nodeSets), chance) ?? {};
  const node_sets = Object.fromEntries(
    Object.entries(wanted).map(([set, size]) => [set, { host_type: hostTypes[set], size }]),
  );
  return { name, node_sets };
}
