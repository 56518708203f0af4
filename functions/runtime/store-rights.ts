import {
  isOfPattern,
  type ReadingUse,
  readingUses,
  type StoreUse,
  type WritingUse,
  writingUses,
} from "../../core/kernel/store/rights.ts";
import { type Index, indexes } from "../../core/kernel/store/store.ts";
import type { FunctionWithRights } from "./secret-rights.ts";

/**
 * What the code of each function does with the table. `infra/permissions.ts` makes the grants of it, and a laptop holds
 * each function to it: so what is missing here fails there, and not on AWS first. A test runs the product and finds what
 * nobody uses.
 */

/**
 * The parts of the table: the partitions of each, by their beginnings. A right is for a part, since what ends an
 * operation, such as that of a quota, may be written by whoever ends it.
 */
export const storeParts = {
  /** The objects that boot machines: what machines report is written into them. */
  machines: ["baremetal_instance#*", "dpu#*", "host#*"],
  clusters: ["cluster#*", "unrenewed-clusters"],
  networks: [
    ...["external_ip#*", "external_ip_attachment#*", "nat_gateway#*", "security_group#*"],
    ...["subnet#*", "virtual_network#*"],
  ],
  operations: ["allocation#*", "operation#*"],
  /** What is counted, claimed and kept beside objects. */
  beside: [
    ...["account#*", "archive#*", "count#*", "former#*", "infra#*", "inproject#*", "label#*"],
    ...["name#*", "total#*", "used-by#*", "uses#*"],
  ],
  tickets: ["ticket#*"],
  /** What only one may have, outside or of a network. */
  claims: [
    ...[
      "controller#*",
      "controller-at#*",
      "controllers-claimed",
      "domain#*",
      "identities-claimed",
      "identity#*",
      "mac#*",
      "nat-gateway-of#*",
    ],
    ...["overlay-end#*", "subnet-prefixes#*"],
  ],
  numbers: [
    ...["announced#*", "given#*", "number#*", "numbers#*", "outside#*", "outside-prefixes#*"],
    ...["pool-seen#*", "pool-use#*", "resting#*", "unwritten#*"],
  ],
  /** Objects that say how much is left of the numbers that they have. */
  pools: ["external_ip_pool#*", "network_class#*"],
  /** The hosts that orders can claim, and the lists and sums of what hubs have. */
  capacity: [
    ...["alerted-hosts", "allocation-hosts#*", "capacity#*", "freehosts#*", "hosts#*"],
    ...["hub-region", "hubs-with#*", "pool#*", "room#*", "slots#*", "standby#*"],
  ],
  hubs: ["heartbeats#*", "hub#*", "hub-cluster#*", "hub-look", "reach#*"],
  sites: ["inventory#*", "inventory-reading#*", "site#*"],
  /** When the systems of a site have answered last, and when its machines were heard. */
  heard: ["site-reach#*"],
  sweeps: ["giving-up#*", "orphan#*", "orphans#*", "sweep#*"],
  /** How far the sweep of a shard has come. */
  "due-left": ["due-left#*"],
  tasks: ["token#*"],
  "machine-tokens": ["machine-token#*", "machine-token-of#*"],
  "worker-slots": ["worker-slot#*"],
  "watch-slots": ["watch-slot"],
  timers: ["timer#*"],
  log: ["log#*"],
  webhooks: ["deliveries#*", "webhook#*", "webhooks#*"],
  trends: ["trend", "trends-noted"],
  tenants: ["tenant#*"],
  /** What a request leaves beside its change. */
  requests: ["audit#*", "audithead#*", "idempotency#*"],
  /** Who may do what, and what tenants keep. */
  people: [
    ...["group#*", "identity_provider#*", "member#*", "project#*", "project_membership#*"],
    ...["quota#*", "role#*", "role_binding#*", "secret#*", "user#*", "user-of#*"],
  ],
  /** What the provider offers, and its switches. */
  offers: [
    ...["bare_metal_instance_type#*", "baremetal_instance_catalog_item#*"],
    ...["baremetal_instance_template#*", "cluster_catalog_item#*", "cluster_template#*"],
    ...["cluster_version#*", "default#*", "default-class", "host_type#*", "setting#*"],
    ...["template#*", "version#*"],
  ],
} satisfies Record<string, readonly string[]>;

export type StorePart = keyof typeof storeParts;
const storePartNames = Object.keys(storeParts) as StorePart[];

/** The part of a partition; undefined for one that nobody may use. */
export const partOf = (pk: string): StorePart | undefined =>
  storePartNames.find((part) => storeParts[part].some((pattern) => isOfPattern(pk, pattern)));

export interface StoreRights {
  /** The parts that are read; all of them for who acts on objects of every kind. */
  read: "everything" | readonly StorePart[];
  reading: readonly ReadingUse[];
  indexes: readonly Index[];
  /** Ends operations, of whatever kind their targets are. */
  ends?: true;
  /** The parts that are written; with those of ends, where it ends operations. */
  write: readonly StorePart[];
  writing: readonly WritingUse[];
  /** Further parts, of which only conditions ask. */
  check?: readonly StorePart[];
}

/** What the end of an operation writes. */
export const writtenByEnds = [
  ...(["beside", "claims", "clusters", "machines", "networks"] as const),
  ...(["operations", "tickets"] as const),
] satisfies StorePart[];

/** All parts that are written by who has these rights. */
export const writtenBy = ({ ends, write }: StoreRights): StorePart[] => [
  ...(ends ? writtenByEnds : []),
  ...write,
];

const nothing: StoreRights = { read: [], reading: [], indexes: [], write: [], writing: [] };
const readsAll: StoreRights = { ...nothing, read: "everything", reading: readingUses };
/** Of who acts on objects of every kind. */
const acts: StoreRights = { ...readsAll, ends: true, writing: writingUses };

export const storeRights: Record<FunctionWithRights, StoreRights> = {
  /** All that requests change, and nothing of what only the machinery keeps. */
  api: {
    ...acts,
    indexes,
    write: [
      ...(["capacity", "heard", "hubs", "machine-tokens", "numbers", "offers", "people"] as const),
      ...(["pools", "requests", "sites", "sweeps", "tenants", "timers", "webhooks"] as const),
    ],
  },
  /** Reads what callers may see, and writes who waits. */
  watch: { ...readsAll, write: ["watch-slots"], writing: ["put", "delete"] },
  authorizer: nothing,
  /** Goes on with whatever was accepted, and orders for tenants that are new. */
  relay: {
    ...acts,
    indexes,
    write: [
      ...(["capacity", "hubs", "log", "numbers", "pools", "requests", "sweeps"] as const),
      ...(["tenants", "timers", "webhooks"] as const),
    ],
  },
  observe: { ...acts, indexes: ["g2", "g3", "g4"], write: ["capacity", "hubs"] },
  /** What machines may say: of themselves, and that they are heard. */
  "site-controller": {
    ...nothing,
    read: ["clusters", "heard", "machines", "machine-tokens", "sites"],
    reading: ["get"],
    write: ["heard", "machines"],
    writing: ["put"],
    check: ["sites"],
  },
  due: { ...acts, indexes: ["g2"], write: ["due-left", "hubs", "log", "sweeps", "timers"] },
  sweep: { ...readsAll, indexes: ["g2", "g4"], write: ["trends"], writing: ["put"] },
  webhooks: {
    ...nothing,
    read: ["beside", "log", "tenants", "webhooks"],
    reading: readingUses,
    indexes: ["g2"],
    write: ["webhooks"],
    writing: ["put"],
  },
  halted: { ...acts, write: [] },
  "core-worker": {
    ...acts,
    indexes: ["g2", "g3", "g4"],
    write: ["capacity", "machine-tokens", "numbers", "sites", "tasks"],
    check: ["hubs"],
  },
  "hub-worker": {
    ...acts,
    indexes: ["g2", "g3", "g4"],
    write: ["capacity", "hubs", "numbers", "sites", "sweeps", "tasks", "worker-slots"],
  },
  "site-worker": {
    ...acts,
    indexes: ["g2", "g3", "g4"],
    write: [
      ...(["capacity", "heard", "hubs", "machine-tokens", "numbers", "sites"] as const),
      ...(["sweeps", "tasks", "worker-slots"] as const),
    ],
  },
};

/** Whether a right includes a use of an item of a part. */
export function includesUse(rights: StoreRights, use: StoreUse, part: StorePart): boolean {
  if (isReading(use))
    return (
      rights.reading.includes(use) && (rights.read === "everything" || rights.read.includes(part))
    );
  if (use === "check" && rights.check?.includes(part)) return true;
  return rights.writing.includes(use) && writtenBy(rights).includes(part);
}

const isReading = (use: StoreUse): use is ReadingUse => readingUses.some((each) => each === use);
