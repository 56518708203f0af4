import { poolKey } from "../../kernel/object/hub-keys.ts";
import { domainKey, infraKey, macKey, namePartition, objectKey } from "../../kernel/object/keys.ts";
import { sharedTenant } from "../../kernel/object/metadata.ts";
import { objectIn, type Records } from "../../kernel/object/records.ts";
import { ownerIn, poolPlaceOf } from "../../placement/pool/entries.ts";
import type { Host } from "../../placement/pool/host.ts";
import { inWords, knownOwner, siteRecordOf } from "./owner.ts";
import type { Holding } from "./schema.ts";

/** Finds the holder of a name, a MAC address or a host by the key of its claim. */

/** A name is claimed by its domain: `api.<domain>`, `anything.apps.<domain>`, or the domain itself. */
function domainsOf(name: string): string[] {
  const below = name.split(/\.apps\./);
  const found = [name, name.replace(/^(api|api-int|\*\.apps|apps)\./, ""), ...below.slice(1)];
  return [...new Set(found)];
}

/** The cluster whose domain a name is in. */
export async function nameHolders(records: Records, name: string): Promise<Holding[]> {
  const asked = { kind: "dns", value: name } as const;
  const claims = await records.store.getMany(domainsOf(name).map(domainKey));
  const claim = claims.find((each) => each !== undefined);
  if (!claim) return [{ ...asked, state: "FREE", message: "no cluster has claimed it" }];
  const { owner, object } = await knownOwner(records, { kind: "cluster", id: String(claim.owner) });
  const since = siteRecordOf(object)?.parts.dns_records?.at;
  return [
    {
      ...asked,
      ...{ state: "HELD", message: `held by ${inWords(owner)}`, owner },
      ...(since === undefined ? {} : { since }),
    },
  ];
}

/** The object that has this name on hubs and fabrics. */
export async function infraHolders({ store, kinds }: Records, name: string): Promise<Holding[]> {
  const asked = { kind: "infra_id", value: name } as const;
  const claim = await store.get(infraKey(name));
  const { pk: _, sk: __, ...members } = claim ?? {};
  const [entry] = Object.entries(members).filter(([, id]) => typeof id === "string");
  if (!entry) return [{ ...asked, state: "FREE", message: "it is unclaimed" }];
  const [kind, id] = entry;
  const { owner } = await knownOwner({ store, kinds }, { kind, id: String(id) });
  return [{ ...asked, state: "HELD", message: `the name of ${inWords(owner)}`, owner }];
}

/** The host with a NIC of this MAC address, and the host's holder. */
export async function macHolders(records: Records, mac: string): Promise<Holding[]> {
  const claim = await records.store.get(macKey(mac));
  if (!claim) return [];
  const host = await hostWith(records, String(claim.host));
  const nic = host?.spec.nics.find((each) => each.mac === mac);
  const what = nic && `${nic.name}, at port ${nic.port} of ${nic.switch}`;
  return host ? [await holdingOf(records, host, { kind: "mac", value: mac }, what)] : [];
}

/** The holder of a host, by the host's id or name. */
export async function hostHolders(records: Records, value: string): Promise<Holding[]> {
  const { store } = records;
  const [byId, names] = await Promise.all([
    hostWith(records, value),
    store.query({ pk: namePartition("host", sharedTenant, value), limit: 1 }),
  ]);
  const named = names.items[0]?.id;
  const host = byId ?? (named === undefined ? undefined : await hostWith(records, String(named)));
  return host ? [await holdingOf(records, host, { kind: "host", value })] : [];
}

async function hostWith({ store, kinds }: Records, id: string): Promise<Host | undefined> {
  const item = await store.get(objectKey("host", id));
  return item && objectIn<"host">(kinds, item);
}

async function holdingOf(
  records: Records,
  host: Host,
  asked: Pick<Holding, "kind" | "value">,
  what?: string,
): Promise<Holding> {
  const { hub, hostType } = poolPlaceOf(host.spec);
  const claimant = ownerIn(await records.store.get(poolKey(hub, hostType, host.id)));
  const called = `host ${host.metadata.name}${what === undefined ? "" : ` (${what})`}`;
  const found = { ...asked, host: host.id };
  if (!claimant) {
    const state = host.status.state.slice("HOST_STATE_".length);
    return { ...found, state: "FREE", message: `${called}: free; it is ${state}` };
  }
  const { owner, object } = await knownOwner(records, claimant);
  const since =
    object && "placement" in object && object.placement && "at" in object.placement
      ? object.placement.at
      : undefined;
  return {
    ...found,
    ...{ state: "HELD", message: `${called}: held by ${inWords(owner)}`, owner },
    ...(since === undefined ? {} : { since }),
  };
}
