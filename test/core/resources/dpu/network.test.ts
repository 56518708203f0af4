import { describe, expect, it } from "vitest";
import type { Dpu } from "../../../../core/resources/dpu/model.ts";
import {
  adminNetwork,
  appliedInWords,
  configurationBytes,
  type DpuNetwork,
  hasApplied,
  hasStood,
  wanting,
} from "../../../../core/resources/dpu/network.ts";

/** What a DPU is to have, and when its report proves that it has it. */

const leaf = { asn: 4_200_000_001, loopback: "10.255.0.1" };
const up = { ...leaf, state: "up" } as const;
const applied = { at: "", version: 3, state: "applied", leaf: up } as const;
const desired = { leaf, version: 3 };
// Nothing else of it is asked for.
const dpuOf = (more: Partial<Dpu>) =>
  ({ kind: "dpu", id: "d1", metadata: { name: "dpu-1" }, ...more }) as Dpu;

it.each<[string, Partial<Dpu>, boolean]>([
  ["of which nothing is desired", { applied }, false],
  ["that has reported nothing", { wanted: desired }, false],
  ["that has the desired version", { wanted: desired, applied }, true],
  ["that has an older version", { wanted: desired, applied: { ...applied, version: 2 } }, false],
  ["that has a newer version", { wanted: desired, applied: { ...applied, version: 4 } }, false],
  ["that could not apply it", { wanted: desired, applied: { ...applied, state: "failed" } }, false],
  [
    "whose sessions are down",
    { wanted: desired, applied: { ...applied, leaf: { ...up, state: "down" } } },
    false,
  ],
  [
    "that is a leaf by another number",
    { wanted: desired, applied: { ...applied, leaf: { ...up, asn: 1 } } },
    false,
  ],
  [
    "that is a leaf by another address",
    { wanted: desired, applied: { ...applied, leaf: { ...up, loopback: "10.255.0.2" } } },
    false,
  ],
])("whether a DPU %s has applied its network", (_, more, expected) => {
  expect(hasApplied(dpuOf(more))).toBe(expected);
});

const stands: Dpu["stands"] = [];
const stood = { stands, stands_from: 2, applied } as const;

it.each<[string, Partial<Dpu>, boolean]>([
  ["has reported a version in which they are there", stood, true],
  ["has reported the first such version", { ...stood, stands_from: 3 }, true],
  ["has reported an older version", { ...stood, stands_from: 4 }, false],
  ["has reported that it could not", { ...stood, applied: { ...applied, state: "failed" } }, false],
  ["was given another place since", { ...stood, former: { stands: [] } }, false],
  ["has reported nothing", { stands, stands_from: 2 }, false],
  ["carries no tenant", { applied }, false],
  ["carries no tenant any more", { stands_from: 2, applied }, false],
])("whether the NICs are where they are to be, of a DPU that %s", (_, more, expected) => {
  expect(hasStood(dpuOf(more))).toBe(expected);
});

describe("what is desired", () => {
  it("has a version of its own, where it is another than before", () => {
    const first = wanting(dpuOf({}), { leaf });
    expect(first).toEqual(dpuOf({ wanted: { leaf, version: 1 } }));
    expect(wanting(first, { leaf })).toBe(first);
    expect(wanting(first, { leaf, for: "o1" }).wanted).toEqual({ leaf, for: "o1", version: 2 });
  });

  it("is refused where the DPU has no room for it", () => {
    const of = (length: number): DpuNetwork => ({ leaf, for: "x".repeat(length) });
    const free = configurationBytes - Buffer.byteLength(JSON.stringify(of(0)));
    expect(wanting(dpuOf({}), of(free)).wanted?.version).toBe(1);
    expect(() => wanting(dpuOf({}), of(free + 1))).toThrow(
      `the network of DPU dpu-1 would have ${configurationBytes + 1} bytes; ${configurationBytes} is the limit`,
    );
  });

  it("on the admin network names each port, and its NIC where that is known", () => {
    const ports = [{ name: "pf0", host_mac: "52:54:00:00:00:01" }, { name: "pf1" }];
    const admin = { cidr: "10.9.0.0/24", gateway: "10.9.0.1" };
    expect(adminNetwork({ ports } as Dpu["spec"], admin)).toEqual({
      ...{ network: "admin", ...admin, dhcp: "relay" },
      ports: [{ name: "pf0", mac: "52:54:00:00:00:01" }, { name: "pf1" }],
    });
  });
});

it.each<[Dpu["applied"], string]>([
  [undefined, "it has not reported one"],
  [applied, "it has version 3"],
  [{ ...applied, leaf: { ...up, state: "down" } }, "it has version 3, and its sessions are down"],
  [{ ...applied, state: "failed" }, "it could not apply version 3"],
  [{ ...applied, state: "failed", message: "no room" }, "it could not apply version 3: no room"],
])("the report %j in words", (report, words) => {
  expect(appliedInWords(dpuOf(report ? { applied: report } : {}))).toBe(words);
});
