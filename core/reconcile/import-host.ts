import { isDeepStrictEqual } from "node:util";
import type { Site } from "../at-site/site.ts";
import { bounds, cut, cutLines } from "../bounds.ts";
import { AppError } from "../error.ts";
import { changeObject } from "../kernel/events/rewrite.ts";
import { isObject } from "../kernel/input/shape.ts";
import { poolKey } from "../kernel/object/hub-keys.ts";
import { macKey } from "../kernel/object/keys.ts";
import { load } from "../kernel/object/records.ts";
import { metadataView } from "../kernel/object/wire.ts";
import { createObject, updateObject } from "../kernel/request/crud.ts";
import type { Edit, Request } from "../kernel/request/definition.ts";
import type { StepDeps } from "../kernel/saga/context.ts";
import type { Store, Write } from "../kernel/store/store.ts";
import { absent, eq } from "../kernel/store/store.ts";
import { ownerIn } from "../placement/pool/entries.ts";
import { rackOf } from "../placement/pool/host.ts";
import { adjustPool } from "../placement/reserve/adjust.ts";
import type { InventoryServer } from "../ports/inventory/inventory.ts";
import type { SecretDeps } from "../ports/secrets/secrets.ts";
import { rules as hostRules } from "../resources/host/api.ts";
import { specShown } from "../resources/host/bmc.ts";
import {
  differences,
  hostOf,
  type InventoriedSpec,
  type InventoryRules,
} from "../resources/host/from-inventory.ts";
import type { Host } from "../resources/host/model.ts";

/** The result of the import of one server. */
export interface ImportLine {
  /** The server's id in the inventory. */
  server: string;
  name: string;
  /**
   * `unusable`: the server cannot be a host. `drift`: the host differs from the inventory, and an operator has to
   * decide. `refused`: the host would break a rule.
   */
  outcome: "added" | "changed" | "unchanged" | "unusable" | "drift" | "refused";
  message?: string;
}

export interface Importing {
  deps: StepDeps;
  site: Site;
  rules: InventoryRules;
}

/** The caller who adds and changes hosts. */
const importer = { user: "inventory", tenant: "", everywhere: true };

interface Brought {
  line: ImportLine;
  host: Host | undefined;
  /** The members of the host that do not change until an operator decides. */
  drift: string[];
}

/**
 * Adds the host of a server, or changes it, by the rules of the API. `host` is the one from an earlier import. A host
 * that somebody holds is never changed: its status shows the difference.
 */
export async function bringHost(
  importing: Importing,
  server: InventoryServer,
  host: Host | undefined,
): Promise<{ line: ImportLine; host: Host | undefined }> {
  const brought = await bring(importing, server, host ?? (await byMac(importing, server)));
  await noteInventory(importing, server, brought.host, brought.drift);
  return brought;
}

/** For a host whose server is no longer in the inventory: the host stays, and its status says so. */
export async function leaveHost(
  importing: Importing,
  server: string,
  host: Host,
): Promise<ImportLine> {
  const message = "the inventory does not have it any more";
  const { rack } = host.status.inventory ?? {};
  await noteInventory(importing, { id: server, ...(rack !== undefined && { rack }) }, host, [
    message,
  ]);
  return { server, name: host.metadata.name, outcome: "drift", message };
}

async function bring(
  importing: Importing,
  server: InventoryServer,
  host: Host | undefined,
): Promise<Brought> {
  const { deps, site, rules } = importing;
  const name = server.name.toLowerCase();
  const line = (outcome: ImportLine["outcome"], said: string[] = []): ImportLine => ({
    ...{ server: server.id, name: cut(server.name, bounds.name), outcome },
    ...(said.length > 0 && { message: cut(said.join("; "), bounds.line) }),
  });
  const drifted = (drift: string[]) => ({ line: line("drift", drift), host, drift });
  const found = hostOf(server, rules);
  if (found.spec === undefined) {
    if (host) return drifted([`it cannot be a host any more: ${found.unusable}`]);
    return { line: line("unusable", [found.unusable]), host, drift: [] };
  }
  const { spec, leftOut } = found;
  try {
    if (!host) {
      const body = { metadata: { name }, spec: { ...spec } };
      const { object } = await createObject(deps, importer, hostRules, body);
      return { line: line("added", leftOut), host: object, drift: [] };
    }
    const of = host.status.inventory;
    if (of && (of.site !== site.id || of.server !== server.id))
      return { line: line("refused", [sharedMac(host)]), host: undefined, drift: [] };
    const renamed =
      host.metadata.name === name ? [] : [`its name is ${name} there, and a host keeps its name`];
    const differ = differences(host.spec, spec);
    const keeps = [...renamed, ...(await holderOf(deps.store, host))];
    if (differ.length === 0)
      return renamed.length > 0 ? drifted(renamed) : { line: line("unchanged"), host, drift: [] };
    if (keeps.length > renamed.length) return drifted([...keeps, ...differ]);
    const { object } = await updateObject(deps, importer, importRules, host.id, editTo(spec));
    return { line: line("changed", [...differ, ...leftOut]), host: object, drift: renamed };
  } catch (error) {
    if (!(error instanceof AppError) || error.retryable) throw error;
    const said = [
      error.message,
      ...error.violations.map((each) => `${each.field} ${each.message}`),
    ];
    // Its state has changed since it was read: somebody holds it now, or a saga works on it.
    if (host && error.kind === "FailedPrecondition") return drifted(said);
    return { line: line("refused", said), host, drift: host ? said : [] };
  }
}

const sharedMac = ({ metadata }: Host): string =>
  `a MAC address of it belongs to host ${metadata.name}, which is another server there`;

/** A host that somebody registered before the inventory had it. */
async function byMac(
  { deps }: Importing,
  { interfaces }: InventoryServer,
): Promise<Host | undefined> {
  const macs = interfaces.flatMap(({ mac }) => mac ?? []);
  const claims = await deps.store.getMany(macs.map(macKey));
  const claim = claims.find((each) => each !== undefined);
  return claim && load(deps, "host", String(claim.host));
}

async function holderOf(store: Store, host: Host): Promise<string[]> {
  const owner = ownerIn(await store.get(entryKey(host)));
  return owner ? [`it is held by ${owner.kind} ${owner.id}`] : [];
}

const entryKey = ({ id, spec }: Host) => poolKey(spec.hub, spec.host_type, id);

/** The rules of the API, and the rule that nobody may hold a host that is changed. */
const importRules: typeof hostRules = {
  ...hostRules,
  async build(
    request: Request<"host", Parameters<typeof hostRules.build>[0]["input"], SecretDeps>,
  ) {
    const built = await hostRules.build(request);
    const { before, deps } = request;
    const writes = built.writes ?? [];
    const key = before && entryKey(before);
    if (!key || writes.some((write) => isOf(write, key))) return built;
    const entry = await deps.store.get(key);
    const owner = ownerIn(entry);
    if (owner) throw new AppError("FailedPrecondition", `it is held by ${owner.kind} ${owner.id}`);
    const same = entry ? eq("state", String(entry.state)) : absent;
    return { ...built, writes: [...writes, { check: key, if: same }] };
  },
};

function isOf(write: Write, { pk, sk }: { pk: string; sk: string }): boolean {
  const key =
    "put" in write
      ? write.put
      : "update" in write
        ? write.update
        : "delete" in write
          ? write.delete
          : write.check;
  return key.pk === pk && key.sk === sk;
}

/** The host with the changes from its inventory. Members that the inventory lacks stay. */
const editTo = ({ bmc, ...found }: InventoriedSpec): Edit<"host"> => ({
  shown: (host) => ({ id: host.id, metadata: metadataView(host), spec: specShown(host) }),
  edited: (shown) => {
    const spec = isObject(shown.spec) ? shown.spec : {};
    const controller = isObject(spec.bmc) ? spec.bmc : {};
    return { ...shown, spec: { ...spec, ...found, bmc: { ...controller, ...bmc } } };
  },
});

/**
 * Writes the host's server, the server's place, and the members that differ from the inventory into the host's status.
 */
async function noteInventory(
  { deps, site }: Importing,
  { id: server, rack }: Pick<InventoryServer, "id" | "rack">,
  host: Host | undefined,
  drift: string[],
): Promise<void> {
  if (!host) return;
  const inventory = {
    ...{ site: site.id, server },
    ...(rack !== undefined && { rack: cut(rack, bounds.name) }),
    ...(drift.length > 0 && { drift: cutLines(drift) }),
  };
  if (isDeepStrictEqual(host.status.inventory, inventory)) return;
  const noted = await changeObject(deps, "host", host.id, (now) =>
    isDeepStrictEqual(now.status.inventory, inventory)
      ? undefined
      : { ...now, status: { ...now.status, inventory } },
  );
  if (rackOf(noted) !== rackOf(host)) await adjustPool(deps, host.id);
}
