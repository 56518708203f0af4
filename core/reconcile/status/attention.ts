import { timestamp } from "../../clock.ts";
import { endingSoon, soonEnds } from "../../ending.ts";
import type { Deps } from "../../kernel/deps.ts";
import { alertedPartition } from "../../kernel/object/hub-keys.ts";
import {
  certificateEndsPartition,
  failingWebhooksPartition,
  objectKey,
} from "../../kernel/object/keys.ts";
import { objectIn, objectsIn } from "../../kernel/object/records.ts";
import type { Operation } from "../../kernel/saga/operation.ts";
import { waitInWords } from "../../kernel/saga/wait.ts";
import type { Host } from "../../placement/host.ts";
import { silentDpus } from "../../placement/silent-dpu.ts";
import { sourceOf } from "../../resources/dpu/health.ts";
import type { Dpu } from "../../resources/dpu/model.ts";
import type { Hub } from "../../resources/hub/model.ts";
import type { Site } from "../../resources/site/model.ts";
import { inState } from "./beyond-sla.ts";
import { type Attention, attentionReasons, type Status } from "./schema.ts";
import { openWaits } from "./waits.ts";

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
  stuck: readonly Operation[];
  stalled: readonly Operation[];
  hubs: Status["hubs"];
}

/** Everything that needs somebody: the worst kind of it first, and of each the oldest. */
export async function attentionOf(
  deps: AttentionDeps,
  { stuck, stalled, hubs }: Known,
): Promise<Pick<Status, "attention" | "more_attention">> {
  const now = deps.clock.now();
  const found = await Promise.all([
    quarantined(deps),
    silent(deps),
    failingWebhooks(deps),
    endingCertificates(deps),
  ]);
  const all = [
    ...hubs.items.flatMap(unreachable),
    ...stuck.map(ofStuck),
    ...stalled.map((operation) => ofStalled(operation, now)),
    ...found.flat(),
  ].sort(byUrgency);
  return { attention: all.slice(0, shown), more_attention: Math.max(0, all.length - shown) };
}

const rankOf = ({ reason }: Attention): number => attentionReasons.indexOf(reason);

const byUrgency = (a: Attention, b: Attention): number =>
  rankOf(a) - rankOf(b) ||
  (a.since === b.since ? (a.id < b.id ? -1 : 1) : a.since < b.since ? -1 : 1);

function unreachable(hub: Status["hubs"]["items"][number]): Attention[] {
  const { id, name, state, message = "it is not reached", since = "" } = hub;
  if (state !== "HUB_STATE_UNREACHABLE") return [];
  return [
    {
      ...{ reason: "HubUnreachable", kind: "hub", id, name, tenant: "shared", message, since },
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
  const { step = "", message = "it needs a person" } = failure ?? {};
  return {
    ...{ reason: "OperationStuck", ...targetOf(operation) },
    message: `${step}: ${message}`,
    since: operation.steps[step]?.end_time ?? start_time,
    command: `slipway operation resume ${operation.id}`,
  };
}

function ofStalled(operation: Operation, now: number): Attention {
  const { stalled } = operation.status;
  const wait = openWaits(operation).find(({ step }) => step === stalled?.step);
  const words = wait ? waitInWords(wait, now) : stalled?.message;
  return {
    ...{ reason: "OperationStalled", ...targetOf(operation) },
    message: `${stalled?.step} takes longer than it should: ${words}`,
    since: stalled?.since ?? "",
    command: `slipway operation watch ${operation.id}`,
  };
}

/** Hosts and DPUs that a person has to bring back. */
async function quarantined(deps: AttentionDeps): Promise<Attention[]> {
  const [hosts, dpus] = await Promise.all([
    inState(deps, "host", "HOST_STATE_QUARANTINED"),
    inState(deps, "dpu", "DPU_STATE_QUARANTINED"),
  ]);
  return [...hosts, ...dpus].flatMap((object): Attention[] => {
    const quarantine =
      object.kind === "host"
        ? object.server?.quarantine
        : object.kind === "dpu"
          ? object.quarantine
          : undefined;
    if (!quarantine) return [];
    const { kind, id, metadata } = object;
    return [
      {
        reason: kind === "host" ? "HostQuarantined" : "DpuQuarantined",
        ...{ kind, id, name: metadata.name, tenant: metadata.tenant },
        message: `${quarantine.step === undefined ? "" : `${quarantine.step}: `}${quarantine.reason}`,
        since: quarantine.since,
        command: `slipway ${kind} retry ${metadata.name}`,
      },
    ];
  });
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
  const { owner } = host.status;
  return silentDpus(host).flatMap(({ source, since, message }): Attention[] => {
    const found = dpus.find((dpu) => dpu.spec.host.id === host.id && sourceOf(dpu) === source);
    const dpu = found?.metadata.name ?? source;
    const command = `slipway host health ${host.metadata.name}`;
    const ofDpu: Attention = {
      ...{ reason: "DpuSilent", kind: "dpu", id: found?.id ?? source, name: dpu },
      ...{ tenant: host.metadata.tenant, since, command },
      message: `${message}; it is a DPU of host ${host.metadata.name}`,
    };
    if (owner?.kind !== "baremetal_instance") return [ofDpu];
    const { kind, id, name = id, tenant } = owner;
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
  const now = deps.clock.now();
  const range = { to: `${timestamp(now + soonEnds)}#~` };
  const query = { index: "g3", pk: certificateEndsPartition, range } as const;
  const found: Attention[] = [];
  for await (const some of objectsIn<"site" | "hub">(deps, query)) {
    for (const object of some) {
      const ending = endOf(object, now);
      if (ending) found.push(ending);
    }
    if (found.length >= readOfEach) break;
  }
  return found;
}

function endOf(object: Site | Hub, now: number): Attention | undefined {
  const { kind, id, metadata } = object;
  const ends = kind === "hub" ? object.spec.credentials_end : object.status.authority_ends;
  const ending = ends === undefined ? undefined : endingSoon(ends, now);
  if (!ending) return undefined;
  const what = kind === "hub" ? "what Slipway logs in with there" : "its authority of certificates";
  return {
    reason: ending.hasEnded ? "CertificateEnded" : "CertificateEnds",
    ...{ kind, id, name: metadata.name, tenant: metadata.tenant, since: ending.since },
    message: `${what} ${ending.words}`,
    command:
      kind === "hub"
        ? `slipway hub register --name ${metadata.name} --kubeconfig FILE`
        : "slipway site register FILE",
  };
}
