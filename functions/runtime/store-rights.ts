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
 * What the code of each function does with the table. `infra/permissions.ts` derives the grants from it, and a
 * laptop enforces it, so a missing right fails before it reaches AWS. A test runs the product and finds unused
 * rights.
 */

/**
 * The parts of the table: the partitions of each, by their prefixes. Rights are by part, since the end of an
 * operation changes other items too, such as a quota's.
 */
export const storeParts = {
  /** The objects that boot machines, into which the machines' reports are written. */
  machines: ["baremetal_instance#*", "dpu#*", "host#*"],
  clusters: ["cluster#*", "unrenewed-clusters"],
  networks: [
    ...["external_ip#*", "external_ip_attachment#*", "nat_gateway#*", "security_group#*"],
    ...["subnet#*", "virtual_network#*"],
  ],
  operations: ["allocation#*", "operation#*"],
  /** Counts, claims and copies that belong to objects. */
  beside: [
    ...["account#*", "archive#*", "count#*", "former#*", "infra#*", "inproject#*", "label#*"],
    ...["name#*", "total#*", "used-by#*", "uses#*"],
  ],
  tickets: ["ticket#*"],
  /** Claims of outside objects and networks that have only one holder. */
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
  /** The pools that are objects of their own, with the number of their free numbers. */
  pools: ["external_ip_pool#*", "network_class#*"],
  /** The hosts that orders can claim, and the lists and sums of hubs' capacity. */
  capacity: [
    ...["alerted-hosts", "allocation-hosts#*", "capacity#*", "freehosts#*", "hosts#*"],
    ...["hub-region", "hubs-with#*", "pool#*", "room#*", "slots#*", "standby#*"],
  ],
  hubs: ["heartbeats#*", "hub#*", "hub-cluster#*", "hub-look", "reach#*"],
  sites: ["inventory#*", "inventory-reading#*", "site#*"],
  /** The times of the last answers of a site's systems, and of the last reports of its machines. */
  heard: ["site-reach#*"],
  sweeps: ["giving-up#*", "orphan#*", "orphans#*", "sweep#*"],
  /** How far the sweep of a shard has got. */
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
  /** The audit entries and idempotency keys that a request writes besides its change. */
  requests: ["audit#*", "audithead#*", "idempotency#*"],
  /** Who may do what, and tenants' own settings. */
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

/** The part that a partition belongs to; undefined if no function may use the partition. */
export const partOf = (pk: string): StorePart | undefined =>
  storePartNames.find((part) => storeParts[part].some((pattern) => isOfPattern(pk, pattern)));

export interface StoreRights {
  /**
   * The parts that the function reads; all parts for functions that change objects of every kind.
   */
  read: "everything" | readonly StorePart[];
  reading: readonly ReadingUse[];
  indexes: readonly Index[];
  /** Whether the function ends operations, whatever the kind of their target. */
  ends?: true;
  /** The parts that are written, in addition to those of the ends. */
  write: readonly StorePart[];
  writing: readonly WritingUse[];
  /** Further parts that only conditions use. */
  check?: readonly StorePart[];
}

/** The parts that the end of an operation writes. */
export const writtenByEnds = [
  ...(["beside", "claims", "clusters", "machines", "networks"] as const),
  ...(["operations", "tickets"] as const),
] satisfies StorePart[];

/** All parts that these rights allow to write. */
export const writtenBy = ({ ends, write }: StoreRights): StorePart[] => [
  ...(ends ? writtenByEnds : []),
  ...write,
];

const nothing: StoreRights = { read: [], reading: [], indexes: [], write: [], writing: [] };
const readsAll: StoreRights = { ...nothing, read: "everything", reading: readingUses };
/** The rights of functions that change objects of every kind. */
const acts: StoreRights = { ...readsAll, ends: true, writing: writingUses };

export const storeRights: Record<FunctionWithRights, StoreRights> = {
  /** Everything that requests change, and nothing that only other functions write. */
  api: {
    ...acts,
    indexes,
    write: [
      ...(["capacity", "heard", "hubs", "machine-tokens", "numbers", "offers", "people"] as const),
      ...(["pools", "requests", "sites", "sweeps", "tenants", "timers", "webhooks"] as const),
    ],
  },
  /** Reads what callers may see, and writes the slots of waiting watches. */
  watch: { ...readsAll, write: ["watch-slots"], writing: ["put", "delete"] },
  authorizer: nothing,
  /** Continues whatever was accepted, and orders for new tenants. */
  relay: {
    ...acts,
    indexes,
    write: [
      ...(["capacity", "hubs", "log", "numbers", "pools", "requests", "sweeps"] as const),
      ...(["tenants", "timers", "webhooks"] as const),
    ],
  },
  observe: { ...acts, indexes: ["g2", "g3", "g4"], write: ["capacity", "hubs"] },
  /** The data that machines report: about themselves, and that they are reachable. */
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

/** Whether rights include a use of an item of a part. */
export function includesUse(rights: StoreRights, use: StoreUse, part: StorePart): boolean {
  if (isReading(use))
    return (
      rights.reading.includes(use) && (rights.read === "everything" || rights.read.includes(part))
    );
  if (use === "check" && rights.check?.includes(part)) return true;
  return rights.writing.includes(use) && writtenBy(rights).includes(part);
}

const isReading = (use: StoreUse): use is ReadingUse => readingUses.some((each) => each === use);
