import { describe, expect, it } from "vitest";
import { asHubId, asOperationId } from "../../../../core/id.ts";
import { infraKey } from "../../../../core/kernel/object/keys.ts";
import type { Ending } from "../../../../core/kernel/saga/operated.ts";
import { hostQueue, hubQueue } from "../../../../core/placement/queues/tickets.ts";
import type { BaremetalInstance } from "../../../../core/resources/baremetal-instance/model.ts";
import { operated } from "../../../../core/resources/baremetal-instance/operated.ts";
import { instanceSagas } from "../../../../core/resources/baremetal-instance/sagas.ts";
import { instanceRecord, onHost } from "../../../support/instance-record.ts";

/** What operations mean for a tenant's server: how each leaves it, and what it counts for then. */

const operation = asOperationId("o1");
const at = "2026-05-04T10:00:00.000Z";
const failure = { step: "Start", kind: "Timeout", message: "it is silent" };
const server = instanceRecord({ published: true });
const { stands } = server;

it("an operation that starts takes the place of what failed before", () => {
  expect(operated.started({ ...server, failure }, operation)).toEqual({ ...server, operation });
});

type Saga = keyof typeof instanceSagas;
const busy: Partial<BaremetalInstance> = { operation, queued: asOperationId("o2") };
const repair = { since: at, dpus: true } as const;
const withTrigger = { ...server.spec, restart_trigger: 4 };
/** A change of its networks: it was in `web`, and is to be in `db`. */
const db = { ...server.spec, network_attachments: [] };
const moving: Partial<BaremetalInstance> = {
  spec: db,
  stands: [],
  formerly: { network_attachments: server.spec.network_attachments, stands },
  regrouping: { from: [] },
};
const movedBack = { generation: server.generation + 1 };

it.each<
  [
    string,
    Saga,
    Partial<BaremetalInstance>,
    Partial<Ending>,
    Partial<BaremetalInstance> | "archive",
  ]
>([
  ["a deletion", "delete", {}, {}, "archive"],
  ["a deletion that failed", "delete", {}, { failure }, { failure }],
  ["an order", "create", {}, {}, {}],
  ["an order that failed", "create", {}, { failure }, { failure }],
  ["an order that was cancelled", "create", {}, { failure, cancelled: true }, { failure }],
  ["a restart", "restart", { restarting: true }, {}, { restarted: { at } }],
  [
    "a restart that was asked for by its trigger",
    "restart",
    { restarting: true, spec: withTrigger },
    {},
    { spec: withTrigger, restarted: { at, trigger: 4 } },
  ],
  [
    "a restart that failed",
    "restart",
    { restarting: true },
    { failure },
    { failure, restarted: { at, failure } },
  ],
  ["a reinstallation", "reinstall", { restarting: true }, {}, { restarted: { at } }],
  ["a repair", "repair", { restarting: true, repair }, {}, { repair, restarted: { at } }],
  [
    "a repair that failed",
    "repair",
    { restarting: true, repair },
    { failure },
    { repair: { ...repair, hasFailed: true }, failure, restarted: { at, failure } },
  ],
  [
    "a repair that failed, and is asked for no more",
    "repair",
    { restarting: true },
    { failure },
    { failure, restarted: { at, failure } },
  ],
  ["a change of its networks", "networking", moving, {}, { spec: db, stands: [] }],
  [
    "a change of its networks that failed",
    "networking",
    moving,
    { failure },
    { ...movedBack, failure },
  ],
  [
    "a change of its networks that was cancelled",
    "networking",
    moving,
    { failure, cancelled: true },
    movedBack,
  ],
])("%s leaves the server so: %#", (_, saga, more, ending, expected) => {
  const before = { ...server, ...busy, failure: { ...failure, step: "Earlier" }, ...more };
  const ended = operated.ended(before, {
    ...{ saga: instanceSagas[saga], at, cancelled: false },
    ...ending,
  });
  expect(ended).toStrictEqual(expected === "archive" ? expected : { ...server, ...expected });
});

describe("what it counts for", () => {
  const charge = { "hosts:metal": 1 };
  const gone = { ...failure, given_back: true };

  it.each<[string, Partial<BaremetalInstance>, boolean]>([
    ["was made", { published: true }, true],
    ["was made, and has failed since", { published: true, failure: gone }, true],
    ["was not made, and has released everything", { published: false, failure: gone }, false],
    [
      "was not made, and holds something still",
      { published: false, failure: { ...gone, given_back: false } },
      true,
    ],
    ["was not made, and waits for that", { published: false, failure }, true],
    ["is being made", { published: false }, true],
  ])("of a server that %s", (_, more, counts) => {
    const charged = { ...server, charge, ...more };
    const { target, writes } = operated.settled?.(charged, charged) ?? {};
    expect(target).toEqual({ ...charged, charge: counts ? charge : {} });
    expect(writes).toEqual(counts ? [] : [expect.objectContaining({ add: { "hosts:metal": -1 } })]);
  });

  it("is nothing once it is deleted, and its name outside is free again", () => {
    expect(operated.archived?.({ ...server, charge }, { clock: expect.anything() })).toEqual([
      expect.objectContaining({ add: { "hosts:metal": -1 } }),
      { delete: infraKey(server.infra_id), if: expect.anything() },
    ]);
  });
});

it("its steps call its site or its hub, once it has one", () => {
  const site = { id: "site-1", parts: {} };
  const hub = { kind: "hub", id: asHubId("hub-a") };
  const placed = { ...server, ...onHost("h1", "hub-a"), site };
  expect(operated.placeOf?.(placed, "site")).toEqual({ kind: "site", id: "site-1" });
  expect(operated.placeOf?.(placed, "hub")).toEqual(hub);
  const { site: _, ...elsewhere } = placed;
  expect(operated.placeOf?.(elsewhere, "site")).toEqual(hub);
  expect(operated.placeOf?.({ ...server, site }, "hub")).toBeUndefined();
});

it("its operations wait for hosts of its type, and of the types that were ordered with it", () => {
  expect(operated.queues?.(server)).toEqual([hubQueue, hostQueue("metal")]);
  const batch = { id: "b1", members: [], host_types: ["metal", "large"] };
  expect(operated.queues?.({ ...server, batch })).toEqual([
    ...[hubQueue, hostQueue("metal"), hostQueue("large")],
  ]);
});
