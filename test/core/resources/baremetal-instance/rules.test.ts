import { describe, expect, it } from "vitest";
import { timestamp } from "../../../../core/clock.ts";
import {
  type Consent,
  consentInWords,
  windowOf,
} from "../../../../core/resources/baremetal-instance/consent.ts";
import { primaryAddress } from "../../../../core/resources/baremetal-instance/members.ts";
import type { BaremetalInstance } from "../../../../core/resources/baremetal-instance/model.ts";
import {
  afterChange,
  changingTo,
  doMove,
  everyStand,
  presentStands,
} from "../../../../core/resources/baremetal-instance/networks.ts";
import { instanceStatus, lastPower } from "../../../../core/resources/baremetal-instance/status.ts";
import { instanceRecord } from "../../../support/instance-record.ts";

/** A server's networks while they change, its state, and its tenant's consent. */

const reference = (name: string) => ({ id: name, name });
const stand = (subnet: string, more: object = {}) => ({
  ...{ subnet, name: `s-${subnet}`, groups: [`g-${subnet}`], primary: true, ...more },
});
const attachment = (subnet: string, groups: string[] = [subnet]) => ({
  ...{ subnet: reference(subnet), security_groups: groups.map(reference), primary: true },
});
const networks = (...subnets: string[]) => ({
  network_attachments: subnets.map((subnet) => attachment(subnet)),
  stands: subnets.map((subnet) => stand(subnet)),
});
const record = (more: Partial<BaremetalInstance> = {}, ...subnets: string[]) => {
  const { network_attachments, stands } = networks(...subnets);
  const { spec } = instanceRecord();
  return instanceRecord({ stands, spec: { ...spec, network_attachments }, ...more });
};
const failure = { step: "JoinNetworks", kind: "Rejected", message: "no", given_back: true };
const is = (subnets: readonly { subnet: string }[] | undefined) =>
  subnets?.map(({ subnet }) => subnet);

describe("a server that changes its networks", () => {
  const before = record({}, "web", "db");
  const wanted = {
    network_attachments: [attachment("lab", ["lab"]), attachment("db", ["other"])],
    stands: [stand("lab", { groups: ["g-lab"] }), stand("db", { groups: ["g-other"] })],
  };
  const changing = changingTo(before, wanted);

  it("has the new ones, and keeps the former ones", () => {
    expect(is(changing.stands)).toEqual(["lab", "db"]);
    expect(changing.spec.network_attachments).toEqual(wanted.network_attachments);
    expect(changing.spec.image).toEqual(before.spec.image);
    expect(changing.formerly).toEqual(networks("web", "db"));
  });

  it("begins with the groups that it had in a subnet, and elsewhere with the new ones", () => {
    expect(changing.regrouping).toEqual({
      from: [
        { security_groups: [reference("lab")], names: ["g-lab"] },
        { security_groups: [reference("db")], names: ["g-db"] },
      ],
    });
  });

  it("finds the groups of a subnet by its name, wherever it was", () => {
    const { regrouping } = changingTo(before, {
      network_attachments: [attachment("lab"), attachment("web", ["other"])],
      stands: [stand("lab"), stand("web", { groups: ["g-other"] })],
    });
    expect(regrouping?.from.map(({ names }) => names)).toEqual([["g-lab"], ["g-web"]]);
    expect(regrouping?.from[1]?.security_groups).toEqual([reference("web")]);
  });

  it("is back in the former ones after a failure, a version later", () => {
    const after = afterChange(changing, failure);
    expect(after).toEqual({ ...before, generation: before.generation + 1 });
  });

  it("remembers where ports are left of a change that gave nothing back", () => {
    const left = { ...failure, given_back: false };
    expect(is(afterChange(changing, left).lingering)).toEqual(["lab", "db"]);
    const lingering = [stand("old")];
    expect(is(afterChange({ ...changing, lingering }, left).lingering)).toEqual([
      ...["lab", "db", "old"],
    ]);
    expect(afterChange({ ...changing, lingering }, failure)).not.toHaveProperty("lingering");
  });

  it("has only the new ones after a success", () => {
    const after = afterChange({ ...changing, lingering: [stand("old")] }, undefined);
    for (const none of ["formerly", "regrouping", "lingering"])
      expect(after).not.toHaveProperty(none);
    expect(is(after.stands)).toEqual(["lab", "db"]);
    expect(after.generation).toBe(before.generation);
  });

  it("is as it is after a failure of a change that had not begun", () => {
    expect(afterChange(before, failure)).toEqual(before);
  });

  it("is in the former ones until it has left them", () => {
    expect(is(presentStands(before))).toEqual(["web", "db"]);
    expect(is(presentStands(changing))).toEqual(["web", "db"]);
    const formerly = { ...networks("web", "db"), areLeft: true as const };
    expect(is(presentStands({ ...changing, formerly }))).toEqual(["lab", "db"]);
  });

  it("may have a port in each, named once", () => {
    expect(is(everyStand(before))).toEqual(["web", "db"]);
    const lingering = [stand("old"), stand("web")];
    expect(is(everyStand({ ...changing, lingering }))).toEqual(["lab", "db", "web", "old"]);
  });

  it.each([
    ["nothing changes", before, false],
    ["a subnet changes", changing, true],
    [
      "only groups change",
      changingTo(before, {
        ...networks("web", "db"),
        stands: [stand("web", { groups: ["g-x"] }), stand("db")],
      }),
      false,
    ],
    [
      "the primary one changes",
      changingTo(before, {
        ...networks("web", "db"),
        stands: [stand("web", { primary: false }), stand("db")],
      }),
      true,
    ],
  ])("moves where %s: %s", (_, instance, moves) => {
    expect(doMove(instance)).toBe(moves);
  });
});

const nics = [
  { name: "eno1", mac: "52:54:00:00:00:0A" },
  { name: "eno2", mac: "52:54:00:00:00:0B" },
] as never;
const stands = [
  stand("db", { primary: false, interface: "eno2" }),
  stand("web", { interface: "eno1" }),
];
const addresses = {
  db: { "host/52:54:00:00:00:0b": "10.20.2.5" },
  web: { "other/52:54:00:00:00:0c": "10.20.1.4", "host/52:54:00:00:00:0a": "10.20.1.5" },
};

it.each<[string, object, object | undefined]>([
  [
    "the address in the primary subnet",
    { stands, nics, addresses },
    { stand: stands[1], address: "10.20.1.5" },
  ],
  ["none before it has one", { stands, nics, addresses: { db: addresses.db } }, undefined],
  ["none before its NICs are known", { stands, addresses }, undefined],
  ["none without a primary subnet", { stands: stands.slice(0, 1), nics, addresses }, undefined],
])("external IPs lead to %s", (_, more, expected) => {
  expect(primaryAddress(instanceRecord(more))).toEqual(expected);
});

it("external IPs lead to no server that is gone", () => {
  expect(primaryAddress(undefined)).toBeUndefined();
});

const at = (second: number) => timestamp(second * 1000);
const power = (state: "on" | "off", second: number) => ({
  ...{ state, at: at(second), operation: "op-1", step: "PowerOn" },
});
const boot = (second: number, state?: "off") =>
  ({ at: at(second), ...(state && { power: state }) }) as NonNullable<BaremetalInstance["boot"]>;

it.each<[string, Partial<BaremetalInstance>, object | undefined]>([
  ["no report", {}, undefined],
  ["a report of power", { power: power("on", 5) }, { state: "on", at: at(5) }],
  [
    "a later one of a boot",
    { power: power("on", 5), boot: boot(6, "off") },
    { state: "off", at: at(6) },
  ],
  [
    "one of a boot at the same time",
    { power: power("on", 5), boot: boot(5, "off") },
    { state: "off", at: at(5) },
  ],
  [
    "an earlier one of a boot",
    { power: power("on", 5), boot: boot(4, "off") },
    { state: "on", at: at(5) },
  ],
  ["one of a boot alone", { boot: boot(4, "off") }, { state: "off", at: at(4) }],
  ["a boot without power", { power: power("on", 5), boot: boot(6) }, { state: "on", at: at(5) }],
])("the last power state after %s", (_, more, expected) => {
  const { state, at: read } = lastPower(instanceRecord(more)) ?? {};
  expect(state && { state, at: read }).toEqual(expected);
});

const halted = {
  ...instanceRecord().spec,
  run_strategy: "BARE_METAL_INSTANCE_RUN_STRATEGY_HALTED",
} as const;
const deletion = {
  metadata: { ...instanceRecord().metadata, deletion_timestamp: at(0) },
};
const operation = "op-1" as BaremetalInstance["operation"] & string;
const restartFailed = { restarted: { failure } as never };

it.each<[string, Partial<BaremetalInstance>]>([
  ["PROVISIONING", {}],
  ["FAILED", { failure }],
  ["RUNNING", { published: true }],
  ["RUNNING", { published: true, failure }],
  ["STOPPED", { published: true, spec: halted }],
  ["STARTING", { published: true, restarting: true }],
  ["STOPPING", { published: true, restarting: true, spec: halted }],
  ["DELETING", { ...deletion, published: true, operation }],
  ["DELETE_FAILED", { ...deletion, published: true }],
  ["DELETE_FAILED", { ...deletion, operation, stuck: failure }],
  ["STOPPED", { published: true, ...restartFailed, power: power("off", 1) }],
  ["RUNNING", { published: true, ...restartFailed, power: power("on", 1) }],
  ["RUNNING", { published: true, ...restartFailed }],
  ["RUNNING", { published: true, ...restartFailed, spec: halted, power: power("on", 1) }],
  ["RUNNING", { published: true, power: power("off", 1) }],
])("is %s with %j", (state, more) => {
  const before = instanceRecord(more);
  const status = instanceStatus(before, 60_000);
  expect(status.state).toBe(`BARE_METAL_INSTANCE_STATE_${state}`);
  expect(status.state_transition_time).toBe(timestamp(60_000));
  expect(instanceStatus({ ...before, status }, 90_000).state_transition_time).toBe(
    timestamp(60_000),
  );
});

describe("a consent", () => {
  const from = "2026-01-01T02:00:00.000Z";
  const until = "2026-01-01T04:00:00.000Z";
  const now = Date.parse("2026-01-01T00:00:00.000Z");

  it.each<[Parameters<typeof windowOf>[0], number, object]>([
    [{ consent: "now" }, now, {}],
    [{ consent: "none" }, now, {}],
    [{ consent: "window", from, until }, now, { from, until }],
    [{ consent: "window", from, until }, Date.parse(until) - 1, { from, until }],
    [
      { consent: "window", from: "2026-01-01T02:00:00Z", until: "2026-01-01T04:00:00Z" },
      now,
      { from, until },
    ],
  ])("has the window of %j at %i", (input, when, window) => {
    expect(windowOf(input, when)).toEqual(window);
  });

  const required = "is required with a window";
  const only = "is only for a window";
  const late = [{ field: "until", message: "must be later than `from` and than now" }];
  it.each<[Parameters<typeof windowOf>[0], number, object[]]>([
    [
      { consent: "window" },
      now,
      [
        { field: "from", message: required },
        { field: "until", message: required },
      ],
    ],
    [{ consent: "window", from }, now, [{ field: "until", message: required }]],
    [{ consent: "window", until }, now, [{ field: "from", message: required }]],
    [{ consent: "now", from }, now, [{ field: "from", message: only }]],
    [{ consent: "on_restart", until }, now, [{ field: "until", message: only }]],
    [{ consent: "window", from: until, until: from }, now, late],
    [{ consent: "window", from, until: from }, now, late],
    [{ consent: "window", from, until }, Date.parse(until), late],
  ])("is refused with %j at %i", (input, when, violations) => {
    expect(() => windowOf(input, when)).toThrow(
      expect.objectContaining({ kind: "Invalid", violations }),
    );
  });

  it.each<[Consent["given"], string]>([
    [
      "window",
      "it begins between 2026-01-01T02:00:00Z and 2026-01-01T04:00:00Z, with your consent",
    ],
    ["now", "it begins once no other operation works on the server, with your consent"],
    ["on_restart", "it begins with the next restart, with your consent"],
  ])("says when the work begins: %s", (given, words) => {
    expect(consentInWords({ given, by: "ann", at: at(0), from, until })).toBe(words);
  });
});
