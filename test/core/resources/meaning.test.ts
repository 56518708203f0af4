import { describe, expect, it } from "vitest";
import { meansTheSame } from "../../../core/resources/meaning.ts";
import { newsOfKind } from "../../support/news.ts";

const condition = (type: string, status: string, rest: object = {}) => ({ type, status, ...rest });

describe("news means the same as the news before it", () => {
  const pool = { metadata: { resourceVersion: "100" }, spec: { replicas: 2 } };
  const of = (conditions: object[], rest: object = {}) =>
    newsOfKind("NodePool", { ...pool, status: { replicas: 1, conditions }, ...rest });
  const known = of([condition("AllNodesHealthy", "False", { reason: "NodeNotReady" })]);

  it.each([
    ["when its version alone is another", { metadata: { resourceVersion: "101" } }, true],
    ["not when it is of another object", { metadata: { uid: "uid-2" } }, false],
    ["not when the object is gone", { deleted: true }, false],
    ["not when its size is another", { spec: { replicas: 3 } }, false],
    [
      "not when it is another order's",
      { metadata: { labels: { "slipway.dev/cluster": "c2" } } },
      false,
    ],
  ])("%s", (_, rest, expected) => {
    const { conditions } = known.object.status as { conditions: object[] };
    expect(meansTheSame(known, of(conditions, rest))).toBe(expected);
  });

  it("when a condition that nobody reads changes, not when one does that somebody reads", () => {
    const [healthy] = (known.object.status as { conditions: object[] }).conditions;
    const more = of([healthy ?? {}, condition("AutorepairEnabled", "True")]);
    expect(meansTheSame(known, more)).toBe(true);
    expect(meansTheSame(known, of([condition("AllNodesHealthy", "True")]))).toBe(false);
  });

  it.each(["HostedCluster", "Agent"] as const)("of a %s, too", (kind) => {
    const told = (metadata: object) => newsOfKind(kind, { metadata });
    expect(meansTheSame(told({}), told({ resourceVersion: "101" }))).toBe(true);
    expect(meansTheSame(told({}), told({ name: "another" }))).toBe(false);
  });
});
