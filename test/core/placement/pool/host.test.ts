import { expect, it } from "vitest";
import { asHostId } from "../../../../core/id.ts";
import type { NamedOwner } from "../../../../core/placement/pool/host.ts";
import { hostOwnerOf, hostStatus, mayLeave } from "../../../../core/placement/pool/host.ts";
import type { Host, HostStatus, ObservedAgent } from "../../../../core/resources/host/model.ts";

const named: NamedOwner = { tenant: "tenant-a", kind: "cluster", id: "c1", role: "workers" };
/** As it is stored and shown. */
const owner = { tenant: "tenant-a", kind: "cluster", id: "c1", node_set: "workers" } as const;

const agent = (changes: Partial<ObservedAgent> = {}): ObservedAgent => ({
  hub: "hub-a",
  name: "a1",
  uid: "u1",
  resource_version: "1",
  at: "2026-01-01T00:00:00.000Z",
  state: "known-unbound",
  message: "Host is ready to be bound",
  bound_to: "",
  labelled_for: "",
  addresses: [],
  gone: false,
  ...changes,
});

const host = (status: Partial<HostStatus>, spec: Partial<Host["spec"]> = {}): Host => ({
  kind: "host",
  id: asHostId("h1"),
  metadata: {
    name: "h1",
    tenant: "shared",
    project: "",
    creator: "root",
    creation_timestamp: "2026-01-01T00:00:00.000Z",
    labels: {},
    annotations: {},
  },
  generation: 0,
  revision: 1,
  event: {
    type: "slipway.host.created.v1",
    sequence: 1,
    time: "2026-01-01T00:00:00.000Z",
    changed: [],
  },
  spec: { host_type: "fc430", hub: "hub-a", bmc: { address: "x" }, nics: [], ...spec },
  status: { state: "HOST_STATE_UNDISCOVERED", ...status },
});

const stateOf = (of: Host, by?: NamedOwner) => hostStatus(of, by, 0).state;

it("is undiscovered until its hub knows an agent that can be taken", () => {
  expect(stateOf(host({}))).toBe("HOST_STATE_UNDISCOVERED");
  expect(stateOf(host({ agent: agent({ gone: true }) }))).toBe("HOST_STATE_UNDISCOVERED");
  expect(stateOf(host({ agent: agent({ hub: "hub-b" }) }))).toBe("HOST_STATE_UNDISCOVERED");
  const unready = agent({ state: "insufficient-unbound", message: "too little memory" });
  expect(hostStatus(host({ agent: unready }), undefined, 0)).toMatchObject({
    state: "HOST_STATE_UNDISCOVERED",
    message: "too little memory",
  });
});

it("is available when an order could take it", () => {
  const { state, message } = hostStatus(host({ agent: agent() }), undefined, 0);
  expect({ state, message }).toEqual({ state: "HOST_STATE_AVAILABLE", message: undefined });
});

it("is reserved, and says by whom, while an order holds it", () => {
  const joined = host({ agent: agent({ state: "added-to-existing-cluster", bound_to: "c1" }) });
  expect(hostStatus(joined, named, 0)).toMatchObject({ state: "HOST_STATE_RESERVED", owner });
  expect(hostStatus(host({ agent: agent(), owner }), undefined, 0).owner).toBeUndefined();
  expect(hostOwnerOf(host({ owner }))).toEqual(named);
  expect(hostOwnerOf(host({}))).toBeUndefined();
});

it("is being reclaimed from its order's end to an agent as it was before", () => {
  for (const state of ["unbinding", "reclaiming", "reclaiming-rebooting"])
    expect(stateOf(host({ agent: agent({ state }) }), named)).toBe("HOST_STATE_RECLAIMING");
  const labelled = host({ agent: agent({ labelled_for: "c1" }) });
  expect(stateOf(labelled)).toBe("HOST_STATE_RECLAIMING");
});

it("is in maintenance, once nobody holds it", () => {
  const maintenance = { since: "2026-01-01T00:00:00.000Z", by: "root" };
  const kept = { ...host({ agent: agent() }), maintenance };
  expect(stateOf(kept)).toBe("HOST_STATE_MAINTENANCE");
  expect(stateOf(kept, named)).toBe("HOST_STATE_RESERVED");
});

const credentials = { bmc: { address: "x", credentials: "ref" } };

it.each<[string, Partial<Host["spec"]>, Partial<ObservedAgent>, boolean]>([
  ["reclaimed", {}, {}, true],
  ["gone", {}, { gone: true }, true],
  ["on its way back", credentials, { state: "reclaiming-rebooting" }, false],
  [
    "silent, of a server that Slipway manages",
    credentials,
    { state: "disconnected-unbound" },
    true,
  ],
  ["silent, of another server", {}, { state: "disconnected-unbound" }, false],
  ["silent and bound", credentials, { state: "disconnected", bound_to: "c1" }, false],
])("a host whose agent is %s may leave its cluster, or not", (_, spec, changes, may) => {
  expect(mayLeave(host({ agent: agent(changes) }, spec))).toBe(may);
});
