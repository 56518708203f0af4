import { describe, expect, it } from "vitest";
import { archive } from "../../../../core/kernel/object/records.ts";
import { refuseTooLarge } from "../../../../core/kernel/object/size.ts";
import { refuseTooMuch } from "../../../../core/kernel/request/checks.ts";
import { transactionLimit } from "../../../../core/kernel/store/store.ts";
import { clusterQueues } from "../../../../core/resources/cluster/queues.ts";
import { kinds } from "../../../../core/resources/generated/kinds.ts";
import { clusterRecord } from "../../../support/cluster-record.ts";
import { hubRecord } from "../../../support/placement.ts";

/** An object of which people have written so many bytes, as the store counts them: a letter of Greek has two. */
function sized(bytes: number) {
  const { metadata, spec } = hubRecord("h", { labels: { a: "" } });
  const rest = bytes - Buffer.byteLength(JSON.stringify({ metadata, spec })) - 2;
  return hubRecord("h", { labels: { a: `λ${"x".repeat(rest)}` } });
}

it("an object has 256 KiB at most", () => {
  const most = 256 * 1024;
  expect(() => refuseTooLarge(kinds, sized(most))).not.toThrow();
  expect(() => refuseTooLarge(kinds, sized(most + 1))).toThrow(
    `the object has ${most + 1} bytes; ${most} is the limit`,
  );
});

it("one that was stored larger may be changed and deleted as long as it does not grow", () => {
  const large = sized(256 * 1024 + 10);
  const withMetadata = (more: object) => ({ ...large, metadata: { ...large.metadata, ...more } });
  expect(() => refuseTooLarge(kinds, { ...large, generation: 2 }, large)).not.toThrow();
  const deletion_timestamp = "2026-01-01T00:00:00.000Z";
  expect(() => refuseTooLarge(kinds, withMetadata({ deletion_timestamp }), large)).not.toThrow();
  expect(() => refuseTooLarge(kinds, withMetadata({ labels: {} }), large)).not.toThrow();
  expect(() => refuseTooLarge(kinds, withMetadata({ description: "x" }), large)).toThrow(
    "262144 is the limit",
  );
});

describe("an object's labels, and twice the others that it refers to", () => {
  /** It refers to its template, its version and its project too. */
  function cluster(labels: number, hostTypes: number) {
    const { metadata, spec, ...rest } = clusterRecord(0);
    const numbered = (count: number) => Array.from({ length: count }, (_, n) => `n-${n}`);
    const sets = numbered(hostTypes).map((id) => [id, { host_type: { id, name: id }, size: 1 }]);
    return {
      ...rest,
      metadata: {
        ...metadata,
        project: "a.b.c.d.e",
        labels: Object.fromEntries(numbered(labels).map((key) => [key, "x"])),
      },
      spec: { ...spec, node_sets: Object.fromEntries(sets) },
    };
  }

  it.each([
    [32, 17],
    [0, 33],
  ])("may be 72 together: %i labels, %i host types", (labels, hostTypes) => {
    const most = cluster(labels, hostTypes);
    expect(() => refuseTooLarge(kinds, most)).not.toThrow();
    expect(() => refuseTooLarge(kinds, cluster(labels, hostTypes + 1))).toThrow(
      `the object has ${labels} labels and refers to ${hostTypes + 4} others`,
    );
    // Beside these, its end writes its operation, its tickets, its quotas, and its names outside.
    const end = archive(kinds, most, 0).length + 1 + clusterQueues(most).length + 6 + 2;
    expect(end).toBeLessThanOrEqual(transactionLimit);
  });
});

it("a change has 98 writes at most, and its entry in the audit", () => {
  const writes = (count: number) =>
    Array.from({ length: count }, (_, n) => ({ delete: { pk: "p", sk: `${n}` } }));
  expect(() => refuseTooMuch(writes(98))).not.toThrow();
  expect(() => refuseTooMuch(writes(99))).toThrow("the change needs 99 writes at once");
});
