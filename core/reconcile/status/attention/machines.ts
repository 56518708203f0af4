import { alertedPartition } from "../../../kernel/object/hub-keys.ts";
import { objectKey } from "../../../kernel/object/keys.ts";
import type { AnyObject } from "../../../kernel/object/object.ts";
import { objectIn } from "../../../kernel/object/records.ts";
import { type Host, hostOwnerOf } from "../../../placement/pool/host.ts";
import { silentDpus } from "../../../placement/pool/silent-dpu.ts";
import { serverOn } from "../../../resources/baremetal-instance/host-notice.ts";
import { healthSourceOf } from "../../../resources/dpu/health.ts";
import type { Dpu } from "../../../resources/dpu/model.ts";
import type { Quarantine } from "../../../resources/host/server.ts";
import { inState, outOfService } from "../beyond-sla.ts";
import type { Attention } from "../schema.ts";
import { type AttentionDeps, readOfEach } from "./source.ts";

/** Hosts and DPUs that a person has to bring back, and the servers on such hosts. */
export async function quarantined(deps: AttentionDeps): Promise<Attention[]> {
  const [hosts, held, dpus] = await Promise.all([
    inState(deps, "host", "HOST_STATE_QUARANTINED"),
    outOfService(deps, "host", "HOST_STATE_RESERVED"),
    inState(deps, "dpu", "DPU_STATE_QUARANTINED"),
  ]);
  return [
    ...hosts.flatMap((host) => setAside("HostQuarantined", host, host.server?.quarantine)),
    ...held.flatMap((host) => [
      ...setAside("HostQuarantined", host, host.server?.quarantine),
      ...ofQuarantinedHost(host),
    ]),
    ...(await quarantinedDpus(deps, dpus)),
  ];
}

/** A DPU whose host somebody holds is left unchanged until the host is released. */
async function quarantinedDpus(
  { store, kinds }: AttentionDeps,
  dpus: readonly Dpu[],
): Promise<Attention[]> {
  if (dpus.length === 0) return [];
  const items = await store.getMany(dpus.map(({ spec }) => objectKey("host", spec.host.id)));
  const hosts = items.flatMap((item) => (item ? [objectIn<"host">(kinds, item)] : []));
  return dpus.flatMap((dpu) => {
    const host = hosts.find(({ id }) => id === dpu.spec.host.id);
    const holder = host && hostOwnerOf(host);
    return setAside("DpuQuarantined", dpu, dpu.quarantine).map((each) => ({
      ...each,
      ...(holder && {
        message: `${each.message}; possible once its host ${host.metadata.name}, held by ${holder.kind} '${holder.id}', is released`,
      }),
    }));
  });
}

function ofQuarantinedHost(host: Host): Attention[] {
  const stands = serverOn(host);
  const { quarantine } = host.server ?? {};
  if (!stands || !quarantine) return [];
  const { kind, id, name = id, tenant } = stands;
  const { since, reason: why } = quarantine;
  const message = `its host ${host.metadata.name} is quarantined: ${why}`;
  const command = `slipway host get ${host.metadata.name}`;
  return [{ reason: "ServerOnQuarantinedHost", kind, id, name, tenant, message, since, command }];
}

function setAside(
  reason: Attention["reason"],
  { kind, id, metadata: { name, tenant } }: Pick<AnyObject, "kind" | "id" | "metadata">,
  quarantine: Quarantine | undefined,
): Attention[] {
  if (!quarantine) return [];
  const { since, step, reason: why } = quarantine;
  const message = step === undefined ? why : `${step}: ${why}`;
  const command = `slipway ${kind} retry ${name}`;
  return [{ reason, kind, id, name, tenant, message, since, command }];
}

/** Silent DPUs, which only their hosts' records show, and the servers on them. */
export async function silent({ store, kinds }: AttentionDeps): Promise<Attention[]> {
  const { items: alerted } = await store.query({ pk: alertedPartition, limit: readOfEach });
  const hosts = await store.getMany(alerted.map(({ sk }) => objectKey("host", sk)));
  const silent = hosts
    .flatMap((item) => (item ? [objectIn<"host">(kinds, item)] : []))
    .filter(({ status }) => !status.health?.suppresses_alarms)
    .filter((host) => silentDpus(host).length > 0);
  const ids = silent.flatMap(({ dpus = [] }) => dpus);
  const items = await store.getMany(ids.map((id) => objectKey("dpu", id)));
  const dpus = items.flatMap((item) => (item ? [objectIn<"dpu">(kinds, item)] : []));
  return silent.flatMap((host) => ofSilentDpus(host, dpus));
}

function ofSilentDpus(host: Host, dpus: readonly Dpu[]): Attention[] {
  const server = serverOn(host);
  return silentDpus(host).flatMap(({ source, since, message }): Attention[] => {
    const found = dpus.find(
      (dpu) => dpu.spec.host.id === host.id && healthSourceOf(dpu) === source,
    );
    const dpu = found?.metadata.name ?? source;
    const command = `slipway host health ${host.metadata.name}`;
    const ofDpu: Attention = {
      ...{ reason: "DpuSilent", kind: "dpu", id: found?.id ?? source, name: dpu },
      ...{ tenant: host.metadata.tenant, since, command },
      message: `${message}; it is a DPU of host ${host.metadata.name}`,
    };
    if (!server) return [ofDpu];
    const { kind, id, name = id, tenant } = server;
    const why = `DPU ${dpu} of its host ${host.metadata.name} is silent: ${message}`;
    return [
      ofDpu,
      { reason: "ServerOnSilentDpu", kind, id, name, tenant, message: why, since, command },
    ];
  });
}
