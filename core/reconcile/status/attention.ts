import { timestamp } from "../../clock.ts";
import { type Ending, endingSoon, soonEnds } from "../../ending.ts";
import type { Deps } from "../../kernel/deps.ts";
import { alertedPartition } from "../../kernel/object/hub-keys.ts";
import {
  endsPartition,
  failingWebhooksPartition,
  objectKey,
  unrenewedPartition,
} from "../../kernel/object/keys.ts";
import type { AnyObject } from "../../kernel/object/object.ts";
import type { ObjectOf } from "../../kernel/object/object-of.ts";
import { objectIn, objectsIn } from "../../kernel/object/records.ts";
import type { Operation } from "../../kernel/saga/operation.ts";
import { type Wait, waitInWords } from "../../kernel/saga/wait.ts";
import type { Host } from "../../placement/host.ts";
import { silentDpus } from "../../placement/silent-dpu.ts";
import { serverOn } from "../../resources/baremetal-instance/host-notice.ts";
import { certificateEnding } from "../../resources/cluster/ingress-certificate.ts";
import type { Cluster } from "../../resources/cluster/model.ts";
import { sourceOf } from "../../resources/dpu/health.ts";
import type { Dpu } from "../../resources/dpu/model.ts";
import type { Quarantine } from "../../resources/host/server.ts";
import { ofCredentials } from "../../resources/hub/model.ts";
import { ofAuthority } from "../../resources/site/certificates.ts";
import type { Standing } from "../capacity.ts";
import { inState, outOfService } from "./beyond-sla.ts";
import { type Attention, attentionReasons, type Status, type WaitGroup } from "./schema.ts";
import { shortCapacity } from "./short-capacity.ts";
import { openWaits, queueOf } from "./waits.ts";

/**
 * What needs somebody: one list, which the status, the console and the CLI show. Each source is a query of what is not
 * well, so it costs by that and not by how much there is.
 */

const shown = 50;
/** No further page of a source is read once so many were. */
const readOfEach = 200;

type AttentionDeps = Pick<Deps, "store" | "kinds" | "clock">;

/** What is known already of the rest of the status. */
interface Known {
  /** All that were read. */
  operations: readonly Operation[];
  stuck: readonly Operation[];
  stalled: readonly Operation[];
  waits: readonly WaitGroup[];
  standing: readonly Standing[];
  hubs: Status["hubs"];
}

/** Everything that needs somebody: the worst kind of it first, and of each the oldest. */
export async function attentionOf(
  deps: AttentionDeps,
  { operations, stuck, stalled, waits, standing, hubs }: Known,
): Promise<Pick<Status, "attention" | "more_attention">> {
  const now = deps.clock.now();
  const found = await Promise.all([
    quarantined(deps),
    silent(deps),
    failingWebhooks(deps),
    endingCertificates(deps),
    unrenewedCertificates(deps),
    shortCapacity(deps, { waits, operations, standing }),
  ]);
  // Those that wait in a queue are told of as one, by what is short.
  const alone = stalled.filter((operation) => !isInQueue(operation, standing));
  const all = [
    ...hubs.items.flatMap(unwell),
    ...stuck.map(ofStuck),
    ...alone.map((operation) => ofStalled(operation, now)),
    ...found.flat(),
  ].sort(byUrgency);
  return { attention: all.slice(0, shown), more_attention: Math.max(0, all.length - shown) };
}

const rankOf = ({ reason }: Attention): number => attentionReasons.indexOf(reason);

const byUrgency = (a: Attention, b: Attention): number =>
  rankOf(a) - rankOf(b) ||
  (a.since === b.since ? (a.id < b.id ? -1 : 1) : a.since < b.since ? -1 : 1);

function unwell(hub: Status["hubs"]["items"][number]): Attention[] {
  const { id, name, state, message = "it is not reached", since = "" } = hub;
  // Of a hub that is ready, only what its agent does not watch is told since when.
  const isUnobserved = state === "HUB_STATE_READY" && hub.since !== undefined;
  if (state !== "HUB_STATE_UNREACHABLE" && !isUnobserved) return [];
  return [
    {
      ...{
        reason: isUnobserved ? "HubUnobserved" : "HubUnreachable",
        kind: "hub",
        id,
        name,
        tenant: "shared",
        message,
        since,
      },
      command: `slipway hub get ${id} -o yaml`,
    },
  ];
}

const targetOf = ({ id: operation, spec, metadata }: Operation) => ({
  ...{ kind: spec.target.kind, id: spec.target.id, name: spec.target.name },
  ...{ tenant: metadata.tenant, operation },
});

function ofStuck(operation: Operation): Attention {
  const { failure, start_time = "" } = operation.status;
  const { step = "", message = "it needs a person", call } = failure ?? {};
  return {
    ...{ reason: "OperationStuck", ...targetOf(operation) },
    message: `${step}: ${message}${call === undefined ? "" : ` (${call})`}`,
    since: operation.steps[step]?.end_time ?? start_time,
    command: `slipway operation resume ${operation.id}`,
  };
}

const stalledWait = (operation: Operation): Wait | undefined =>
  openWaits(operation).find(({ step }) => step === operation.status.stalled?.step);

function isInQueue(operation: Operation, standing: readonly Standing[]): boolean {
  const wait = stalledWait(operation);
  return wait !== undefined && queueOf(operation, wait, standing) !== undefined;
}

function ofStalled(operation: Operation, now: number): Attention {
  const { stalled } = operation.status;
  const wait = stalledWait(operation);
  const words = wait ? waitInWords(wait, now) : stalled?.message;
  return {
    ...{ reason: "OperationStalled", ...targetOf(operation) },
    message: `${stalled?.step} takes longer than it should: ${words}`,
    since: stalled?.since ?? "",
    command: `slipway operation watch ${operation.id}`,
  };
}

/** Hosts and DPUs that a person has to bring back, and the servers that stand on such hosts. */
async function quarantined(deps: AttentionDeps): Promise<Attention[]> {
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
    ...dpus.flatMap((dpu) => setAside("DpuQuarantined", dpu, dpu.quarantine)),
  ];
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

/** DPUs that are not heard, which only their hosts know, and the servers that stand on them. */
async function silent({ store, kinds }: AttentionDeps): Promise<Attention[]> {
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
    const found = dpus.find((dpu) => dpu.spec.host.id === host.id && sourceOf(dpu) === source);
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

async function failingWebhooks(deps: AttentionDeps): Promise<Attention[]> {
  const found: Attention[] = [];
  const query = { index: "g2", pk: failingWebhooksPartition } as const;
  for await (const some of objectsIn<"webhook">(deps, query)) {
    for (const { id, metadata, status, spec } of some) {
      const { failing } = status;
      if (!failing) continue;
      found.push({
        ...{ reason: "WebhookFailing", kind: "webhook", id },
        ...{ name: metadata.name, tenant: metadata.tenant, since: failing.since },
        message: `${new URL(spec.url).host} has not taken an event in ${failing.tries} tries; last: ${failing.message}`,
        command: `slipway webhook get ${id}`,
      });
    }
    if (found.length >= readOfEach) break;
  }
  return found;
}

/** Authorities of sites and credentials of hubs that end soon, or have ended. */
async function endingCertificates(deps: AttentionDeps): Promise<Attention[]> {
  const [sites, hubs] = await Promise.all([ending(deps, "site"), ending(deps, "hub")]);
  const now = deps.clock.now();
  return [
    ...sites.flatMap((site) =>
      ofEnd(site, site.status.authority_ends, now, {
        what: ofAuthority,
        command: "slipway site register FILE",
      }),
    ),
    ...hubs.flatMap((hub) =>
      ofEnd(hub, hub.spec.credentials_end, now, {
        what: ofCredentials,
        command: `slipway hub register --name ${hub.metadata.name} --kubeconfig FILE`,
      }),
    ),
  ];
}

/** Clusters whose ingress has a certificate that was not renewed in time. */
async function unrenewedCertificates({ store, kinds, clock }: AttentionDeps): Promise<Attention[]> {
  const { items } = await store.query({ pk: unrenewedPartition, limit: readOfEach });
  const found = await store.getMany(items.map(({ sk }) => objectKey("cluster", sk)));
  const clusters = found.flatMap((item) => (item ? [objectIn<"cluster">(kinds, item)] : []));
  return clusters.flatMap((cluster) => ofUnrenewed(cluster, clock.now()));
}

function ofUnrenewed(cluster: Cluster, now: number): Attention[] {
  const ending = certificateEnding(cluster, now);
  if (!ending) return [];
  const { kind, id, metadata } = cluster;
  return [
    {
      ...{ reason: reasonOfEnd(ending), kind, id, name: metadata.name, tenant: metadata.tenant },
      ...{ message: ending.words, since: ending.since, command: `slipway cluster retry ${id}` },
    },
  ];
}

/** The objects of a kind with something that ends within 30 days, or has. */
async function ending<K extends "site" | "hub">(
  deps: AttentionDeps,
  kind: K,
): Promise<ObjectOf[K][]> {
  const range = { to: `${timestamp(deps.clock.now() + soonEnds)}#~` };
  const found: ObjectOf[K][] = [];
  for await (const some of objectsIn<K>(deps, { index: "g3", pk: endsPartition(kind), range })) {
    found.push(...some);
    if (found.length >= readOfEach) break;
  }
  return found;
}

function ofEnd(
  { kind, id, metadata: { name, tenant } }: Pick<AnyObject, "kind" | "id" | "metadata">,
  ends: string | undefined,
  now: number,
  { what, command }: { what: string; command: string },
): Attention[] {
  const end = ends === undefined ? undefined : endingSoon(ends, now);
  if (!end) return [];
  const reason = reasonOfEnd(end);
  const message = `${what} ${end.words}`;
  return [{ reason, kind, id, name, tenant, message, since: end.since, command }];
}

const reasonOfEnd = ({ hasEnded }: Ending): Attention["reason"] =>
  hasEnded ? "CertificateEnded" : "CertificateEnds";
