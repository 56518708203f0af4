import { expect, it } from "vitest";
import { appendAudit, auditHeads, readAudit } from "../../../../core/kernel/audit/chain.ts";
import {
  type AuditAct,
  type AuditEntry,
  type AuditHead,
  hashOfEntry,
} from "../../../../core/kernel/audit/entry.ts";
import { type AuditFault, ChainVerifier } from "../../../../core/kernel/audit/verify.ts";
import { silent } from "../../../../core/log.ts";
import { type TestDeps, testDeps } from "../../../support/deps.ts";

/** Whatever somebody does to a chain, the verifier finds it. */

const act = (object_id: string): Omit<AuditAct, "id" | "time"> => ({
  tenant: "tenant-a",
  actor: { user: "ann", tenant: "tenant-a", roles: ["tenant-user"] },
  source: "192.0.2.7",
  request_id: "r",
  kind: "cluster",
  object_id,
  verb: "update",
  before: { spec: { size: 1 } },
  after: { spec: { size: 2 }, note: "ä \u2028 1.50" },
  result: "AUDIT_RESULT_ACCEPTED",
});

async function chainOf(count: number, deps: TestDeps = testDeps()) {
  for (let n = 1; n <= count; n++) await appendAudit(deps, act(`c${n}`), [], { chains: 1 });
  const { entries } = await readAudit(deps.store, { tenant: "tenant-a", chain: 0 }, {});
  const [head] = await auditHeads(deps.store, "tenant-a");
  if (!head) throw new Error("a chain has no end");
  return { entries, head };
}

function faults(entries: AuditEntry[], head: AuditHead, earlier?: AuditHead): AuditFault[] {
  const verifier = new ChainVerifier(0, earlier);
  for (const entry of entries) verifier.add(entry);
  verifier.end(head);
  return verifier.faults;
}

const resealed = (entry: AuditEntry): AuditEntry => ({ ...entry, hash: hashOfEntry(entry) });

it("finds nothing in a chain that is whole", async () => {
  const { entries, head } = await chainOf(5);
  expect(entries.map(({ position }) => position)).toEqual([1, 2, 3, 4, 5]);
  expect(faults(entries, head)).toEqual([]);
  expect(faults([], { chain: 0, position: 0, hash: "" })).toEqual([]);
});

it.each<[string, (entry: AuditEntry) => AuditEntry]>([
  ["user", (entry) => ({ ...entry, actor: { ...entry.actor, user: "bob" } })],
  ["time", (entry) => ({ ...entry, time: "2020-01-01T00:00:00.000Z" })],
  ["what it was before", (entry) => ({ ...entry, before: { spec: { size: 9 } } })],
  ["result", (entry) => ({ ...entry, result: "AUDIT_RESULT_REFUSED" })],
  ["hash", (entry) => ({ ...entry, hash: "0".repeat(64) })],
])("finds an entry whose %s was changed", async (_, change) => {
  const { entries, head } = await chainOf(5);
  const tampered = entries.map((entry) => (entry.position === 3 ? change(entry) : entry));
  expect(faults(tampered, head)).toContainEqual({ chain: 0, position: 3, fault: "changed" });
});

it("finds an entry that was changed with its hash made anew, the last one included", async () => {
  const { entries, head } = await chainOf(5);
  for (const position of [1, 3, 5]) {
    const tampered = entries.map((entry) =>
      entry.position === position ? resealed({ ...entry, verb: "get" }) : entry,
    );
    expect(faults(tampered, head)).toEqual([{ chain: 0, position, fault: "changed" }]);
  }
});

it("finds entries that were removed", async () => {
  const { entries, head } = await chainOf(5);
  const without = (...gone: number[]) => entries.filter(({ position }) => !gone.includes(position));
  expect(faults(without(1), head)).toEqual([{ chain: 0, position: 1, fault: "removed" }]);
  expect(faults(without(2, 3), head)).toEqual([
    { chain: 0, position: 2, fault: "removed" },
    { chain: 0, position: 3, fault: "removed" },
  ]);
  expect(faults(without(5), head)).toEqual([{ chain: 0, position: 5, fault: "cut off" }]);
});

it("finds entries that were put in", async () => {
  const { entries, head } = await chainOf(4);
  const extra = resealed({ ...entries[1], object_id: "forged" } as AuditEntry);
  const [one, two, three, four] = entries as [AuditEntry, AuditEntry, AuditEntry, AuditEntry];
  expect(faults([one, two, extra, three, four], head)).toEqual([
    { chain: 0, position: 2, fault: "inserted" },
  ]);
  const behind = resealed({ ...four, position: 5, previous: four.hash });
  expect(faults([...entries, behind], head)).toEqual([
    { chain: 0, position: 5, fault: "inserted" },
  ]);
});

it("finds a chain that was made anew as a whole, by an end that was noted before", async () => {
  const { head: noted } = await chainOf(3);
  const forged: AuditEntry[] = [];
  for (const entry of (await chainOf(4)).entries) {
    const previous = forged.at(-1)?.hash ?? "";
    forged.push(resealed({ ...entry, previous, actor: { ...entry.actor, user: "bob" } }));
  }
  const last = forged[3] as AuditEntry;
  const head = { chain: 0, position: 4, hash: last.hash };
  expect(faults(forged, head)).toEqual([]);
  expect(faults(forged, head, noted)).toEqual([{ chain: 0, position: 3, fault: "changed" }]);
  expect(faults([], { chain: 0, position: 0, hash: "" }, noted)).toEqual([
    { chain: 0, position: 1, fault: "cut off" },
  ]);
});

it("has the end of each chain in the log, by which an end that was cut off with its head is found", async () => {
  const lines: Record<string, unknown>[] = [];
  const info = (members: Record<string, unknown>) => void lines.push(members);
  const { entries, head } = await chainOf(4, testDeps({ log: { ...silent, info } }));
  const logged = lines.map(({ audit }) => audit as AuditHead & { tenant: string });
  expect(logged.map(({ position }) => position)).toEqual([1, 2, 3, 4]);
  expect(logged.at(-1)).toEqual({ tenant: "tenant-a", ...head });
  const [, second] = entries as [AuditEntry, AuditEntry];
  const cutOff = { chain: 0, position: 2, hash: second.hash };
  const left = entries.slice(0, 2);
  expect(faults(left, cutOff)).toEqual([]);
  const found = [{ chain: 0, position: 3, fault: "cut off" }];
  expect(faults(left, cutOff, logged.at(-1))).toEqual(found);
});

it("reads what is no entry any more as a changed one", async () => {
  const deps = testDeps();
  const { entries, head } = await chainOf(2, deps);
  const first = (await readAudit(deps.store, { tenant: "tenant-a", chain: 0 }, {})).page.items[0];
  if (!first) throw new Error("nothing was written");
  await deps.store.transact([{ put: { ...first, entry: "{" } }]);
  const { entries: damaged } = await readAudit(deps.store, { tenant: "tenant-a", chain: 0 }, {});
  expect(entries).toHaveLength(2);
  expect(faults(damaged, head)).toContainEqual({ chain: 0, position: 1, fault: "changed" });
});

it("keeps entries whose objects are too large for one item, with the hash of the larger", async () => {
  const deps = testDeps();
  const large = { text: "x".repeat(250 * 1024) };
  const larger = { text: "y".repeat(251 * 1024) };
  await appendAudit(deps, { ...act("c1"), before: large, after: larger }, [], { chains: 1 });
  const { entries } = await readAudit(deps.store, { tenant: "tenant-a", chain: 0 }, {});
  expect(entries[0]?.before).toEqual(large);
  expect(entries[0]?.after).toEqual({
    omitted_bytes: JSON.stringify(larger).length,
    sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
  });
});
