import { expect, it } from "vitest";
import { rewritten } from "../../../../core/kernel/events/rewrite.ts";
import type { Cluster } from "../../../../core/resources/cluster/model.ts";
import { packed, unpacked } from "../../../../core/resources/cluster/packed.ts";
import { kinds } from "../../../../core/resources/generated/kinds.ts";
import type { Progress } from "../../../../core/resources/site/at-site.ts";
import { clusterRecord } from "../../../support/cluster-record.ts";

const at = "2026-01-01T00:05:01.000Z";

const parts: [string, Progress, unknown][] = [
  ["that is done", { state: "done", message: "", at }, `done ${at}`],
  ["that is being made", { state: "pending", message: "done soon", at }, undefined],
  ["that failed", { state: "failed", message: "done for", at }, undefined],
];

it.each(parts)("a cluster with a part %s is read as it was written", (_, part, text) => {
  const site = { id: "site-1", parts: { layer2: part } };
  const cluster = rewritten(kinds, undefined, { ...clusterRecord(0), site }, Date.parse(at));
  const stored = packed(cluster) as Cluster;
  expect(stored.site?.parts.layer2).toEqual(text ?? part);
  expect(JSON.stringify(stored.status)).toContain(`"READY":"FALSE ${at}"`);
  expect(unpacked(stored)).toEqual(cluster);
});
