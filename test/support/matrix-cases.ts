import { afterAll, expect } from "vitest";
import { wrongInBooks } from "./books.ts";
import type { Site, Wire } from "./site.ts";

/** What the cases of the matrix share: what brings a saga to run, and how a case is judged. */

interface Scenario {
  /** Answers the cluster; `begin` is called just before what starts the saga is asked. */
  start(site: Site, begin?: () => void): Promise<string>;
  /** How many hosts the cluster has when the saga succeeded, or gave up. */
  hosts: { done: number; undone: number };
}

export const scenarios: Record<string, Scenario> = {
  "cluster-create": {
    start: (site, begin) => {
      begin?.();
      return site.order("c1");
    },
    hosts: { done: 2, undone: 0 },
  },
  "cluster-delete": {
    start: async (site, begin) => {
      const id = await ready(site);
      begin?.();
      await site.api("DELETE", `clusters/${id}`);
      return id;
    },
    hosts: { done: 0, undone: 0 },
  },
  "cluster-scale": {
    start: async (site, begin) => {
      const id = await ready(site);
      begin?.();
      await site.api("PATCH", `clusters/${id}`, { spec: { node_sets: { workers: { size: 4 } } } });
      return id;
    },
    hosts: { done: 4, undone: 2 },
  },
};

const counts = { cases: 0, lost: 0, leaked: 0, stuck: 0 };

/** Once all cases of a file have ended. */
export function printCounts(name: string): void {
  afterAll(() => {
    const { cases, lost, leaked, stuck } = counts;
    console.log(
      `${name}: cases ${cases}, lost ${lost}, leaked ${leaked}, stuck ${stuck} (each expected)`,
    );
  });
}

async function ready(site: Site): Promise<string> {
  const id = await site.order("c1");
  await site.settled(id);
  return id;
}

/** Ends the case: counts it, and finds everything in order. */
export async function closeBooks(site: Site, hosts: number): Promise<void> {
  counts.cases += 1;
  await site.laptop.pass(10 * 60_000);
  const wrong = await wrongInBooks(site);
  const owned = site.owned().filter((thing) => /^host /i.test(thing)).length;
  if (wrong.length > 0 || owned !== hosts) counts.leaked += 1;
  expect(wrong).toEqual([]);
  expect(owned).toBe(hosts);
}

export async function ended(site: Site, id: string): Promise<Wire> {
  const operation = await site.settled(id);
  if (!/SUCCEEDED|FAILED|CANCELLED|STUCK/.test(operation.status.state)) counts.lost += 1;
  return operation;
}

export async function resume(site: Site, id: string, stuck: Wire): Promise<Wire> {
  counts.stuck += 1;
  expect((await site.api("POST", `operations/${stuck.id}/resume`)).status).toBe(200);
  await site.laptop.pass(60_000);
  return ended(site, id);
}
