import { describe, expect, it } from "vitest";
import { newsIn } from "../../../core/resources/meaning.ts";
import { newsOfKind } from "../../support/news.ts";

const condition = (type: string, status: string, rest: object = {}) => ({ type, status, ...rest });

describe("news says nothing beyond the news before it", () => {
  const pool = { metadata: { resourceVersion: "100" }, spec: { replicas: 2 } };
  const of = (conditions: object[], rest: object = {}) =>
    newsOfKind("NodePool", { ...pool, status: { replicas: 1, conditions }, ...rest });
  const known = of([condition("AllNodesHealthy", "False", { reason: "NodeNotReady" })]);

  it.each([
    ["when its version alone is another", { metadata: { resourceVersion: "101" } }, "nothing"],
    ["not when it is of another object", { metadata: { uid: "uid-2" } }, "turn"],
    ["not when the object is gone", { deleted: true }, "turn"],
    ["not when its size is another", { spec: { replicas: 3 } }, "turn"],
    [
      "not when it is another order's",
      { metadata: { labels: { "slipway.dev/cluster": "c2" } } },
      "turn",
    ],
  ])("%s", (_, rest, expected) => {
    const { conditions } = known.object.status as { conditions: object[] };
    expect(newsIn(known, of(conditions, rest))).toBe(expected);
  });

  it("when a condition that nobody reads changes, not when one does that somebody reads", () => {
    const [healthy] = (known.object.status as { conditions: object[] }).conditions;
    const more = of([healthy ?? {}, condition("AutorepairEnabled", "True")]);
    expect(newsIn(known, more)).toBe("nothing");
    expect(newsIn(known, of([condition("AllNodesHealthy", "True")]))).toBe("progress");
  });

  it.each(["HostedCluster", "Agent"] as const)("of a %s, too", (kind) => {
    const told = (metadata: object) => newsOfKind(kind, { metadata });
    expect(newsIn(told({}), told({ resourceVersion: "101" }))).toBe("nothing");
    expect(newsIn(told({}), told({ name: "another" }))).toBe("turn");
  });
});

describe("news is progress alone", () => {
  const agent = (state: string, rest: object = {}) =>
    newsOfKind("Agent", { status: { debugInfo: { state, stateInfo: `is ${state}` } }, ...rest });
  const bound = { spec: { clusterDeploymentName: { name: "c1" } } };

  it.each([
    ["of an agent on its way into a cluster", agent("binding"), agent("installing"), "progress"],
    ["not once it is a node", agent("installing"), agent("added-to-existing-cluster"), "turn"],
    ["nor when it has failed", agent("installing"), agent("error"), "turn"],
    ["of an agent that is reclaimed", agent("unbinding"), agent("reclaiming"), "progress"],
    ["not once it is ready again", agent("discovering-unbound"), agent("known-unbound"), "turn"],
    ["nor when it is not ready any more", agent("known-unbound"), agent("insufficient"), "turn"],
    ["nor when it is bound", agent("known"), agent("known", bound), "turn"],
  ])("%s", (_, before, after, expected) => {
    expect(newsIn(before, after)).toBe(expected);
  });

  const pool = (replicas: number, message: string) =>
    newsOfKind("NodePool", {
      spec: { replicas: 2 },
      status: {
        replicas,
        conditions: [
          condition("AllMachinesReady", "False", { message }),
          condition("AllNodesHealthy", "True"),
        ],
      },
    });

  it("of a node pool that grows, not once it has its size", () => {
    expect(newsIn(pool(0, "2 machines"), pool(1, "1 machine"))).toBe("progress");
    expect(newsIn(pool(1, "1 machine"), pool(2, ""))).toBe("turn");
  });

  it("of a control plane that says what it waits for, not once it is available", () => {
    const plane = (status: string, message: string) =>
      newsOfKind("HostedCluster", {
        status: { conditions: [condition("Available", status, { message })] },
      });
    expect(newsIn(plane("False", "for etcd"), plane("False", "for its API"))).toBe("progress");
    expect(newsIn(plane("False", "for its API"), plane("True", "is well"))).toBe("turn");
  });
});
