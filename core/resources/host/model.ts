import * as z from "zod";
import { lineSchema } from "../../kernel/input/text.ts";
import { userRefusal, withoutUser } from "../../kernel/input/url.ts";
import type { StoredObject } from "../../kernel/object/object.ts";
import type { PlacedKind } from "../../kernel/object/traits.ts";
import type { Json } from "../../kernel/store/store.ts";

/**
 * A server in the inventory. Its spec is the provider's: what it is, where its BMC answers, and
 * how each NIC is cabled. Its status is what the hub says of its agent and who holds it.
 */

const mac = z
  .string()
  .regex(
    /^([0-9a-f]{2}:){5}[0-9a-f]{2}$/,
    "must be a MAC address in lowercase, such as 52:54:00:12:34:56",
  );

const nicSchema = z.strictObject({
  name: lineSchema(63).describe("Name of the interface, such as `eth0`."),
  mac: mac.describe("MAC address, such as 52:54:00:12:34:56."),
  switch: lineSchema(253).describe("The switch that it is cabled to."),
  port: lineSchema(253).describe("The port of that switch."),
});

/** Where a BMC answers, such as redfish://10.0.0.1/redfish/v1/Systems/1. */
export const bmcAddressSchema = lineSchema(2048).refine(withoutUser, userRefusal);

export const hostSpecSchema = z.strictObject({
  host_type: z.string().min(1).max(63).describe("Name of its kind of server."),
  hub: z.string().min(1).max(63).describe("Name of the hub whose discovery network it boots from."),
  bmc: z
    .strictObject({
      address: bmcAddressSchema.describe("Redfish URL of the controller."),
      /** Reference into the secret store. */
      credentials: z.string().min(1).max(512).optional(),
    })
    .describe("Its management controller."),
  nics: z
    .array(nicSchema)
    .min(1)
    .max(32)
    .describe("Network interfaces, each with the switch port it is cabled to."),
  unschedulable: z
    .boolean()
    .optional()
    .describe(
      "Whether it is kept out of the pool for maintenance; the first to leave a cluster that shrinks.",
    ),
});
export type HostSpec = z.infer<typeof hostSpecSchema>;

/** Assisted-service's object for this host, as its hub last told. */
export interface ObservedAgent {
  /** The hub that told: what another says of its agents is of no use here. */
  hub: string;
  name: string;
  uid: string;
  resource_version: string;
  at: string;
  /** `status.debugInfo.state`, such as known-unbound or added-to-existing-cluster. */
  state: string;
  /** The state's explanation, for people. */
  message: string;
  /** Bound to a cluster deployment (by name), or empty. */
  bound_to: string;
  /** The cluster id our label names, or empty. */
  labelled_for: string;
  /** IP addresses of its NICs. */
  addresses: string[];
  gone: boolean;
}

export const hostStates = [
  "UNDISCOVERED",
  "AVAILABLE",
  "RESERVED",
  "RECLAIMING",
  "UNSCHEDULABLE",
] as const;
export type HostState = `HOST_STATE_${(typeof hostStates)[number]}`;

export interface HostStatus {
  state: HostState;
  agent?: ObservedAgent;
  /** The owner that holds it, in the form that is stored and shown: its role is called a node set there. */
  owner?: Omit<NamedOwner, "role"> & { node_set: string };
  message?: string;
}

/** Who holds a host. */
export interface HostOwner {
  kind: PlacedKind;
  id: string;
}

/** As people are told of it. */
export interface NamedOwner extends HostOwner {
  tenant: string;
  name?: string;
  /** What the host is there for: the set that it is in. */
  role: string;
}

/** The kind of a host's owner as it was written down: from before other kinds could own one, it was not. */
export const ownerKindOf = (stored: Json | undefined): PlacedKind =>
  typeof stored === "string" ? (stored as PlacedKind) : "cluster";

export type Host = StoredObject<"host", HostSpec, HostStatus>;

/** An agent that a new cluster can take: discovered, valid, bound to nothing (docs/reference/hub.md §2.6). */
export function isReclaimed(
  agent: Pick<ObservedAgent, "gone" | "state" | "bound_to"> | undefined,
): boolean {
  return (
    agent !== undefined && !agent.gone && agent.state === "known-unbound" && agent.bound_to === ""
  );
}

/**
 * May be given to a new cluster: the hub it is cabled to says that its agent can be taken and is
 * labelled for nobody, and it is not in maintenance.
 */
export function isUsable({ spec, status: { agent } }: Host): boolean {
  return (
    spec.unschedulable !== true &&
    agent?.hub === spec.hub &&
    agent.labelled_for === "" &&
    isReclaimed(agent)
  );
}

/** May leave its cluster: reclaimed, or there is no agent (any more) that could be. */
export function mayLeave({ status: { agent } }: Host): boolean {
  return isReclaimed(agent) || agent?.gone !== false;
}

declare module "../../kernel/object/object-of.ts" {
  interface ObjectOf {
    host: Host;
  }
}
