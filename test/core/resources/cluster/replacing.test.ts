import { expect, it } from "vitest";
import { asHostId, asHubId } from "../../../../core/id.ts";
import type { Cluster } from "../../../../core/resources/cluster/model.ts";
import { operated } from "../../../../core/resources/cluster/operated.ts";
import {
  isDeparting,
  keeping,
  startReplacing,
  withReplacements,
} from "../../../../core/resources/cluster/replacing.ts";
import { clusterRecord } from "../../../support/cluster-record.ts";

const named = (id: string) => ({ id, name: id });

/** A cluster whose node set of two has these hosts. */
const holding = (workers: string[], more: Partial<Cluster> = {}): Cluster => ({
  ...clusterRecord(0),
  placement: {
    ...{ hub: asHubId("hub"), at: "2026-01-01T00:00:00.000Z", reason: "test", rejected: [] },
    hosts: { workers: workers.map(asHostId) },
  },
  ...more,
});

const sizeOf = (cluster: Cluster) =>
  withReplacements(cluster, cluster.spec.node_sets).workers?.size;

it("an operation replaces the hosts that wait for it and are still there, and no others", () => {
  const before = holding(["a", "b"], {
    departing: [named("a"), named("gone")],
    replacing: [named("b")],
  });
  const after = startReplacing(before);
  expect(after.replacing).toEqual([named("a")]);
  expect(after).not.toHaveProperty("departing");
  expect(startReplacing(after)).not.toHaveProperty("replacing");
});

it("a node set has a host more for each that it replaces, until that is released", () => {
  expect(sizeOf(holding(["a", "b"], { departing: [named("a")] }))).toBe(2);
  expect(sizeOf(holding(["a", "b"], { replacing: [named("a")] }))).toBe(3);
  expect(sizeOf(holding(["b", "c"], { replacing: [named("a")] }))).toBe(2);
});

it.each([
  ["waits for an operation", { departing: [named("a")] }, ["a", "b"]],
  ["waits for a host to replace it", { replacing: [named("a")] }, ["a", "b"]],
])("a host that %s is kept as if nobody had asked", (_, more, hosts) => {
  const cluster = holding(hosts, more);
  expect(isDeparting(cluster, "a")).toBe(true);
  expect(keeping(cluster, "a")).toEqual(holding(hosts));
});

it("an operation that has the hosts that come goes on with as many when one is kept", () => {
  const cluster = holding(["a", "b", "c"], { replacing: [named("a")] });
  expect(keeping(cluster, "a")).toEqual(cluster);
});

it("an operation that ends, or never comes, has its hosts wait for none", () => {
  const cluster = holding(["a", "b"], { departing: [named("a")] });
  expect(operated.unqueued?.(cluster)).not.toHaveProperty("departing");
  expect(operated.unmade?.(cluster, cluster)).not.toHaveProperty("departing");
  const failure = { step: "AttachHosts", kind: "Rejected", message: "no", given_back: true };
  for (const ending of [{ failure }, {}])
    expect(
      operated.ended(holding(["a", "b"], { replacing: [named("a")] }), {
        ...{ saga: "cluster-scale", at: "2026-01-01T00:00:00.000Z", cancelled: false },
        ...ending,
      }),
    ).not.toHaveProperty("replacing");
});
