import { expect, it } from "vitest";
import { asHostId } from "../../../core/id.ts";
import { objectKey } from "../../../core/kernel/object/keys.ts";
import { putNew } from "../../../core/kernel/object/records.ts";
import type { Write } from "../../../core/kernel/store/store.ts";
import { claimHost, reserveHost, withdrawHost } from "../../../core/placement/pool/entries.ts";
import { kinds } from "../../../core/resources/generated/kinds.ts";
import { KeptJudge } from "../../../simulate/servers/kept-judge.ts";
import { clusterRecord } from "../../support/cluster-record.ts";
import { freeEntry } from "../../support/placement.ts";

/** What the judge of hosts that are kept for tenants says of the writes that placement makes. */

const place = { hub: "hub-1", hostType: "metal" };
const host = asHostId("host-1");
const kept = { allocation: "of-b", tenant: "tenant-b" };

const isKept = reserveHost(place, { id: host }, kept);
const isFreed = reserveHost(place, { id: host, reservedFor: kept });
const isOut = withdrawHost(place, host, { ...freeEntry, kept: kept.allocation });

/** The allocation as it is stored, with so many hosts that it is to have. */
const reserving = (reserved: number): Write => ({
  put: {
    ...objectKey("allocation", kept.allocation),
    object: { kind: "allocation", id: kept.allocation, spec: { reserved } },
  },
});

/** The judge of these transactions, and of a cluster of this tenant that claims the host after them. */
function judgeOf(transactions: Write[][], claims?: { tenant: string }): KeptJudge {
  const bare = clusterRecord(0, "holder");
  const holder = { ...bare, metadata: { ...bare.metadata, ...claims } };
  const stored = putNew(kinds, holder).flatMap((write) => ("put" in write ? [write.put] : []));
  const judge = new KeptJudge((pk) => stored.filter((item) => item.pk === pk));
  const claim = claimHost(
    place,
    host,
    { kind: "cluster", id: holder.id, tenant: holder.metadata.tenant },
    kept,
  );
  for (const writes of [...transactions, ...(claims ? [[claim]] : [])]) judge.see(writes);
  return judge;
}

it("counts a kept host that goes to its tenant, and says it of one that goes to another", () => {
  const { taken, wrong } = judgeOf([[isKept]], { tenant: "tenant-b" });
  expect([taken, [...wrong]]).toEqual([1, []]);
  expect([...judgeOf([[isKept]], { tenant: "tenant-a" }).wrong]).toEqual([
    expect.stringMatching(/^host host-1 is given to \S+ of tenant-a, kept by of-b for tenant-b$/),
  ]);
});

it("says it of a kept host that comes free for all, unless fewer were asked for", () => {
  const letGo = ["host host-1 is not kept by of-b any more"];
  const begin = [[reserving(2)], [isKept]];
  expect([...judgeOf([...begin, [isFreed]]).wrong]).toEqual(letGo);
  expect([...judgeOf([...begin, [reserving(3)], [isFreed]]).wrong]).toEqual(letGo);
  expect([...judgeOf([...begin, [reserving(1)], [isFreed]]).wrong]).toEqual([]);
  const gone: Write = { delete: objectKey("allocation", kept.allocation) };
  expect([...judgeOf([...begin, [gone], [isFreed]]).wrong]).toEqual([]);
});

it("lets a kept host leave the pool, and anybody have one that nobody keeps", () => {
  expect([...judgeOf([[isKept], isOut], { tenant: "tenant-a" }).wrong]).toEqual([]);
});
