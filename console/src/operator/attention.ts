import type { Status } from "../generated/answers.ts";

/** What needs an operator, as cards: one for each cause. */

export type Attention = Status["attention"][number];
type Reason = Attention["reason"];

export interface Card {
  key: string;
  title: string;
  /** What one can do about it. */
  advice: string;
  isSevere: boolean;
  /** The objects with this cause, the oldest first. */
  entries: Attention[];
}

interface Told {
  /** The title for one object, and for several. */
  one(name: string, kind: string): string;
  many(count: number): string;
  advice: string;
  /** It stops nothing yet. */
  isMild?: true;
}

const ofReason: Readonly<Record<Reason, Told>> = {
  CertificateEnded: {
    one: (name, kind) => `The certificate of ${kind} ${name} has ended`,
    many: (count) => `${count} certificates have ended`,
    advice: "Renew it now: what depends on it fails.",
  },
  HubUnreachable: {
    one: (name) => `Hub ${name} is unreachable`,
    many: (count) => `${count} hubs are unreachable`,
    advice:
      "Check the hub's API server and the network to it. Its clusters keep running; its orders wait.",
  },
  HubUnobserved: {
    one: (name) => `Hub ${name} is not observed`,
    many: (count) => `${count} hubs are not observed`,
    advice: "Check the agent's rights on the hub: it cannot watch every kind.",
  },
  OperationStuck: {
    one: (name, kind) => `Stuck: ${kind} ${name}`,
    many: (count) => `${count} operations are stuck`,
    advice: "Fix the cause, then resume.",
  },
  DpuSilent: {
    one: (name) => `DPU ${name} is silent`,
    many: (count) => `${count} DPUs are silent`,
    advice: "Check the DPU and its management network. Its server keeps its last networks.",
  },
  ServerOnSilentDpu: {
    one: (name) => `Server ${name} depends on a silent DPU`,
    many: (count) => `${count} servers depend on a silent DPU`,
    advice: "Changes of its networks wait until the DPU reports again.",
  },
  ServerOnQuarantinedHost: {
    one: (name) => `Server ${name} runs on a quarantined host`,
    many: (count) => `${count} servers run on quarantined hosts`,
    advice: "Tell its tenant, and plan its move.",
  },
  HostQuarantined: {
    one: (name) => `Host ${name} is quarantined`,
    many: (count) => `${count} hosts are quarantined`,
    advice: "Fix the cause, then retry. No order gets the host until then.",
  },
  DpuQuarantined: {
    one: (name) => `DPU ${name} is quarantined`,
    many: (count) => `${count} DPUs are quarantined`,
    advice: "Fix the cause, then retry. No order gets its host until then.",
  },
  CapacityShort: {
    one: (name) => `Capacity is short: ${name}`,
    many: (count) => `Capacity is short in ${count} places`,
    advice: "Add capacity, or raise the limit.",
  },
  OperationStalled: {
    one: (name, kind) => `Late: ${kind} ${name}`,
    many: (count) => `${count} operations are late`,
    advice: "It is tried again. Check the system that it waits for.",
    isMild: true,
  },
  WebhookFailing: {
    one: (name) => `Webhook ${name} fails`,
    many: (count) => `${count} webhooks fail`,
    advice: "Tell its owner. Events are kept and sent again.",
    isMild: true,
  },
  CertificateEnds: {
    one: (name, kind) => `The certificate of ${kind} ${name} ends soon`,
    many: (count) => `${count} certificates end soon`,
    advice: "Renew it before it ends.",
    isMild: true,
  },
};

/** Operations have a cause in common if they wait for the same; other objects if they have the same problem. */
const causeOf = ({ reason, message }: Attention): string =>
  reason.startsWith("Operation") ? `${reason} ${message}` : reason;

/** The cards in the order of the list, which has the most severe reason first. */
export function cardsOf(attention: readonly Attention[]): Card[] {
  const causes = Map.groupBy(attention, causeOf);
  return [...causes].flatMap(([key, entries]) => {
    const [first] = entries;
    if (!first) return [];
    const { one, many, advice, isMild = false } = ofReason[first.reason];
    const name = first.name || first.id;
    const title = entries.length === 1 ? one(name, wordsOf(first.kind)) : many(entries.length);
    return { key, title, advice, isSevere: !isMild, entries };
  });
}

const wordsOf = (kind: string): string =>
  kind === "baremetal_instance" ? "server" : kind.replaceAll("_", " ");

/** The request that a card's button sends for an object; undefined where a person has to act elsewhere. */
export function remedyOf({ reason, kind, id, operation }: Attention) {
  switch (reason) {
    case "OperationStuck":
      return operation === undefined
        ? undefined
        : { name: "Resume", path: `/api/private/v1/operations/${operation}/resume` };
    case "HostQuarantined":
      return { name: "Retry", path: `/api/private/v1/hosts/${id}/retry` };
    case "DpuQuarantined":
      return { name: "Retry", path: `/api/private/v1/dpus/${id}/retry` };
    case "CertificateEnded":
    case "CertificateEnds":
      return kind === "cluster"
        ? { name: "Renew", path: `/api/private/v1/clusters/${id}/retry` }
        : undefined;
    default:
      return undefined;
  }
}
