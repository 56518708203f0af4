import { expect, it } from "vitest";
import { asNew } from "../../../../core/kernel/events/rewrite.ts";
import type { Cluster } from "../../../../core/resources/cluster/model.ts";
import { packed, unpacked } from "../../../../core/resources/cluster/packed.ts";
import { kinds } from "../../../../core/resources/generated/kinds.ts";
import { clusterRecord } from "../../../support/cluster-record.ts";

const at = "2026-01-01T00:05:01.000Z";

it("a cluster is read as it was written, though of its status only the turns are stored", () => {
  const site = {
    id: "site-1",
    parts: { layer2: { state: "pending", message: "soon", at } },
  } as const;
  const cluster = asNew(kinds, { ...clusterRecord(0), site }, Date.parse(at));
  const stored = packed(cluster) as Cluster;
  expect(Object.keys(stored.status)).toEqual(["state", "state_transition_time", "since"]);
  expect(JSON.stringify(stored.status)).not.toContain("message");
  expect(unpacked(stored)).toEqual(cluster);
});
