import { isDeepStrictEqual } from "node:util";
import * as z from "zod";
import { AppError, type Violation } from "../../error.ts";
import { referenceInputSchema } from "../../kernel/input/reference.ts";
import {
  alertedKey,
  alertedPartition,
  heldForPartition,
  heldPartition,
  poolKey,
} from "../../kernel/object/hub-keys.ts";
import { hubPartition, macKey } from "../../kernel/object/keys.ts";
import { sharedTenant } from "../../kernel/object/metadata.ts";
import type { ApiOf } from "../../kernel/request/api-of.ts";
import type { Definition, Request } from "../../kernel/request/definition.ts";
import { inputSchema } from "../../kernel/request/object-input.ts";
import { resolve } from "../../kernel/request/resolve.ts";
import { oncePerCounter } from "../../kernel/store/once-per-counter.ts";
import { absent, eq, type Item, type Store, type Write } from "../../kernel/store/store.ts";
import { releaseServer } from "../../machine/identity-claim.ts";
import { revokeToken } from "../../machine/tokens.ts";
import { standbyEntry, standbyWrites } from "../../placement/hot-pools/standby.ts";
import { countedPlace, recount } from "../../placement/pool/counted.ts";
import {
  moveToRack,
  ownerIn,
  poolPlaceOf,
  removeHost,
  withdrawHost,
} from "../../placement/pool/entries.ts";
import { isManaged, rackOf } from "../../placement/pool/host.ts";
import { countHost } from "../../placement/pool/host-counts.ts";
import type { SecretDeps } from "../../ports/secrets/secrets.ts";
import { secretReference } from "../../ports/secrets/secrets.ts";
import { actions } from "./actions.ts";
import { bmcInputSchema } from "./bmc.ts";
import { claimFormerControllers } from "./claim-former-controllers.ts";
import { controllerOf, controllerWrites, refuseMissingService } from "./controller.ts";
import { firmwareLive } from "./firmware.ts";
import { type Host, type HostSpec, hostSpecSchema } from "./model.ts";
import { refuseUnlikeType } from "./type-fit.ts";
import { hostSchema } from "./wire.ts";

/** Hosts of the inventory: one by one by the API, or many from a file (`core/resources/host/inventory.ts`). */

export const hostSpecInputSchema = z.strictObject({
  ...hostSpecSchema.shape,
  host_type: referenceInputSchema.describe("Its host type."),
  hub: referenceInputSchema.describe("The hub of its discovery network."),
  bmc: bmcInputSchema({
    address:
      "Redfish URL of the controller, such as redfish://10.1.0.1/redfish/v1/Systems/1; or `ironic:<node>`, a node of the Ironic of the hub's site; or `metal3:<namespace>/<name>`, a BareMetalHost on the hub.",
    username:
      "The user for Slipway's login. With it, Slipway switches the server on and off and erases it. Never answered.",
  }),
});

const schema = inputSchema(hostSpecInputSchema);
type Input = z.output<typeof schema>;

export const rules: Definition<"host", Input, SecretDeps> = {
  kind: "host",
  schema,
  tenant: "shared",
  async build(request) {
    const { deps, id, input, before, violations } = request;
    const { nics, dpus, rack, serial } = input.spec;
    const { bmc, secret } = controllerOf(id, input.spec.bmc, before, deps.newId, violations);
    const [{ host_type, ofType, hub, onHub }, macs, claims] = await Promise.all([
      references(request),
      macWrites(deps.store, id, before, nics, violations),
      controllerWrites(deps, { host: id }, before?.spec, bmc, violations),
    ]);
    const spec = {
      ...{ host_type, hub, bmc, nics },
      ...(rack !== undefined && { rack }),
      ...(serial !== undefined && { serial }),
      ...(dpus !== undefined && { dpus }),
    };
    if (before) refuseAtWork(before, spec);
    refuseDpus(before, spec, violations);
    if (ofType) refuseUnlikeType(spec, ofType, violations);
    await refuseMissingService(deps, bmc, onHub, violations);
    return {
      spec,
      status: { state: "HOST_STATE_UNDISCOVERED" },
      writes: [
        ...macs,
        ...(before
          ? await poolWrites(deps.store, before, spec)
          : countHost(undefined, poolPlaceOf(spec))),
        ...claims,
      ],
      ...(secret && { secret }),
    };
  },
  live: firmwareLive,
  secrets: (host) => {
    const { credentials } = host.spec.bmc;
    return [
      ...(credentials === undefined ? [] : [credentials]),
      ...(isManaged(host) ? [secretReference.discoveryImage(host.id)] : []),
    ];
  },
  async remove(deps, host) {
    const { store } = deps;
    refuseWork(host);
    const entry = await entryOf(store, host);
    const holder = holderIn(entry);
    if (holder)
      throw new AppError("FailedPrecondition", `cannot delete host '${host.id}': ${holder}`);
    const macs = host.spec.nics.map(({ mac }) => ({
      delete: macKey(mac),
      if: eq("host", host.id),
    }));
    const { kind, id } = host;
    const writes = [
      ...oncePerCounter([
        ...(await outOfPool(store, host, entry)),
        ...countHost(countedPlace(host), undefined),
      ]),
      ...macs,
      { delete: alertedKey(id) },
      ...releaseServer(host),
      ...(await controllerWrites(deps, { host: id }, host.spec, undefined)),
    ];
    // The last step, so that the token stays valid if the deletion is refused.
    await revokeToken(deps, { kind, id }, { kind, id });
    return writes;
  },
};

/** Refuses changes to members that a running saga depends on. */
function refuseAtWork(before: Host, { host_type, hub, bmc, nics, dpus }: HostSpec): void {
  const { spec } = before;
  const isSame =
    host_type === spec.host_type &&
    hub === spec.hub &&
    bmc.address === spec.bmc.address &&
    dpus === spec.dpus &&
    isDeepStrictEqual(nics, spec.nics);
  if (!isSame) refuseWork(before);
}

/**
 * Refuses fewer DPUs than are registered, and another hub for a host with registered DPUs. DPUs use the
 * credentials of the host's controller.
 */
function refuseDpus(before: Host | undefined, spec: HostSpec, violations: Violation[]): void {
  const { dpus: registered = [] } = before ?? {};
  if (spec.dpus !== undefined && !isManaged({ spec }))
    violations.push({
      field: "spec.dpus",
      message: "needs the credentials of the host's controller: Slipway boots it with them",
    });
  if (registered.length === 0) return;
  if ((spec.dpus ?? 0) < registered.length)
    violations.push({
      field: "spec.dpus",
      message: `must be at least ${registered.length}: so many are registered`,
    });
  if (before && spec.hub !== before.spec.hub)
    violations.push({
      field: "spec.hub",
      message: "cannot change while DPUs of the host are registered",
    });
}

/** Throws FailedPrecondition while a saga works on the host. */
function refuseWork({ id, operation }: Host): void {
  if (operation === undefined) return;
  const message = `cannot change host '${id}' while operation '${operation}' works on it`;
  throw new AppError("FailedPrecondition", message);
}

/** The writes of a host's change to its pool entry and the pool's counters. */
const poolWrites = async (store: Store, before: Host, spec: HostSpec): Promise<Write[]> =>
  oncePerCounter([
    ...(await entryWrites(store, before, spec)),
    ...recount(before, { ...before, spec }),
  ]);

/** The writes of a host's change to its pool entry, by which hosts are claimed. */
async function entryWrites(store: Store, before: Host, spec: HostSpec): Promise<Write[]> {
  const moves = before.spec.host_type !== spec.host_type || before.spec.hub !== spec.hub;
  const isNewlyManaged = isManaged({ spec }) && !isManaged(before);
  const rack = rackOf({ ...before, spec });
  if (!moves && !isNewlyManaged && rack === rackOf(before)) return [];
  const entry = await entryOf(store, before);
  const holder = holderIn(entry);
  if (moves && holder)
    throw new AppError("FailedPrecondition", `cannot move host '${before.id}': ${holder}`);
  if (moves) return outOfPool(store, before, entry);
  const place = poolPlaceOf(spec);
  if (!isNewlyManaged)
    return entry?.state === "free" ? [moveToRack(place, before.id, entry, rack)] : [];
  if (!entry || entry.state === "free") return withdrawHost(place, before.id, entry);
  // A held host stays with its owner, and leaves the pool when released.
  const same = eq("state", holder ? "held" : "out");
  return [{ check: poolKey(spec.hub, spec.host_type, before.id), if: same }];
}

const entryOf = (store: Store, { id, spec }: Host): Promise<Item | undefined> =>
  store.get(poolKey(spec.hub, spec.host_type, id));

function holderIn(entry: Item | undefined): string | undefined {
  const owner = ownerIn(entry);
  return owner && `it is held by ${owner.kind} '${owner.id}'`;
}

/** Removes a free host from the pool; if it gets a holder meanwhile, the request is checked again. */
async function outOfPool(store: Store, host: Host, entry: Item | undefined): Promise<Write[]> {
  const { id, spec } = host;
  const place = poolPlaceOf(spec);
  const standby = isManaged(host) ? await standbyEntry({ store }, host) : undefined;
  return [...removeHost(place, id, entry), ...standbyWrites(place, id, standby, undefined)];
}

async function references({ deps, input, violations }: Request<"host", Input, SecretDeps>) {
  const [hostType, hub] = await Promise.all([
    resolve(deps, "host_type", sharedTenant, input.spec.host_type),
    resolve(deps, "hub", sharedTenant, input.spec.hub),
  ]);
  if (!hostType) violations.push({ field: "spec.host_type", message: "no such host type" });
  if (!hub) violations.push({ field: "spec.hub", message: "no such hub" });
  return {
    host_type: hostType?.metadata.name ?? "",
    ofType: hostType,
    hub: hub?.id ?? "",
    onHub: hub,
  };
}

/** Claims new MAC addresses and releases removed ones. */
async function macWrites(
  store: Store,
  id: string,
  before: Host | undefined,
  nics: Host["spec"]["nics"],
  violations: Violation[],
): Promise<Write[]> {
  const had = new Set(before?.spec.nics.map(({ mac }) => mac));
  const has = new Set(nics.map(({ mac }) => mac));
  const claims = await store.getMany(nics.map(({ mac }) => macKey(mac)));
  for (const [n, { mac }] of nics.entries()) {
    const field = `spec.nics[${n}].mac`;
    const owner = claims[n]?.host;
    if (nics.findIndex((nic) => nic.mac === mac) < n)
      violations.push({ field, message: "appears more than once" });
    else if (owner !== undefined && owner !== id)
      violations.push({ field, message: "belongs to another host" });
  }
  const taken = [...has].filter((mac) => !had.has(mac));
  const given = [...had].filter((mac) => !has.has(mac));
  return [
    ...taken.map((mac) => ({ put: { ...macKey(mac), host: id }, if: absent })),
    ...given.map((mac) => ({ delete: macKey(mac), if: eq("host", id) })),
  ];
}

export const api = {
  schema: hostSchema,
  rules,
  actions,
  settle: claimFormerControllers,
  lookups: [
    {
      path: "status.owner.id",
      partitions: (owner) => [{ pk: heldPartition(owner), index: "g3", ids: true }],
      has: ({ status }, owner) => status.owner?.id === owner,
    },
    {
      path: "status.owner.tenant",
      partitions: (tenant) => [{ pk: heldForPartition(tenant), index: "g4", ids: true }],
      has: ({ status }, tenant) => status.owner?.tenant === tenant,
    },
    {
      path: "spec.hub",
      partitions: (hub) => [{ pk: hubPartition(hub, "host"), index: "g3" }],
      has: ({ spec }, hub) => spec.hub === hub,
    },
    {
      path: "status.health.state",
      partitions: (state) =>
        state === "HEALTH_STATE_ALERT" ? [{ pk: alertedPartition, ids: true }] : undefined,
      has: ({ status }, state) => status.health?.state === state,
    },
  ],
} satisfies ApiOf<"host">;
