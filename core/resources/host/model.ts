import * as z from "zod";
import type { OperationId } from "../../id.ts";
import { lineSchema } from "../../kernel/input/text.ts";
import { userRefusal, withoutUser } from "../../kernel/input/url.ts";
import type { StoredObject } from "../../kernel/object/object.ts";
import type { Operated } from "../../kernel/object/traits.ts";
import type { NamedOwner } from "../../placement/host.ts";
import type { Observation } from "../../ports/hub/observation.ts";
import type { ServerRecord } from "./server.ts";

/**
 * A server in the inventory. The provider writes its spec: its type, the address of its BMC, and how
 * each NIC is cabled. Its status is the state of its agent on the hub, and its holder.
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

/** The address of a server: of its BMC, such as redfish://10.0.0.1/redfish/v1/Systems/1, or at a service. */
export const bmcAddressSchema = lineSchema(2048).refine(withoutUser, userRefusal);

export const hostSpecSchema = z.strictObject({
  host_type: z.string().min(1).max(63).describe("Name of its kind of server."),
  hub: z.string().min(1).max(63).describe("Name of the hub whose discovery network it boots from."),
  bmc: z
    .strictObject({
      address: bmcAddressSchema.describe(
        "Redfish URL of the controller, or the server as a service knows it.",
      ),
      certificate: z
        .string()
        .regex(
          /^([0-9a-f]{2}:){31}[0-9a-f]{2}$/,
          "must be a SHA-256 fingerprint in lowercase, such as 0a:1b:…",
        )
        .optional()
        .describe(
          "SHA-256 fingerprint of its certificate, where no authority has signed it; no other is accepted then.",
        ),
      authentication: z
        .enum(["basic", "session"])
        .optional()
        .describe(
          "How Slipway logs in: `basic` sends user and password with each request, and is meant where nothing is said; `session` is for controllers that refuse that.",
        ),
      /** Reference into the secret store: what `bmcSecretSchema` says, as JSON. */
      credentials: z.string().min(1).max(512).optional(),
    })
    .describe("Its management controller."),
  nics: z
    .array(nicSchema)
    .min(1)
    .max(32)
    .describe("Network interfaces, each with the switch port it is cabled to."),
});
export type HostSpec = z.infer<typeof hostSpecSchema>;

/** Assisted-service's object for this host, by the hub's last report. */
export interface ObservedAgent extends Observation {
  /** The hub that sent the report: reports of other hubs about their agents do not count for this host. */
  hub: string;
  name: string;
  /** `status.debugInfo.state`, such as known-unbound or added-to-existing-cluster. */
  state: string;
  /** The state's explanation, for people. */
  message: string;
  /** The cluster deployment that the agent is bound to (by name), or empty. */
  bound_to: string;
  /** The cluster id in our label, or empty. */
  labelled_for: string;
  /** IP addresses of the agent's NICs. */
  addresses: string[];
}

/** The credentials of a controller. */
export const bmcSecretSchema = z.object({ username: z.string(), password: z.string() });

export const hostStates = [
  "UNDISCOVERED",
  "DISCOVERING",
  "AVAILABLE",
  "RESERVED",
  "RECLAIMING",
  "CLEANING",
  "OFF",
  "MAINTENANCE",
  "QUARANTINED",
  "RETIRED",
] as const;
export type HostState = `HOST_STATE_${(typeof hostStates)[number]}`;

export interface HostStatus {
  state: HostState;
  agent?: ObservedAgent;
  /** The owner that holds the host, in the stored and shown form, where its role is called a node set. */
  owner?: Omit<NamedOwner, "role"> & { node_set: string };
  message?: string;
  /**
   * The server of a site's inventory that the host was made of, and where it stands; `drift`: what of it is
   * otherwise there.
   */
  inventory?: { site: string; server: string; rack?: string; drift?: string[] };
}

/** A person keeps the host out of the pool, until it is released. A cluster that holds it replaces it first. */
export interface Maintenance {
  since: string;
  /** The user who has asked for it. */
  by: string;
  /** The operation of the cluster that was to replace the host; absent for a host that nobody held. */
  operation?: OperationId;
}

export interface Host extends StoredObject<"host", HostSpec, HostStatus>, Operated {
  maintenance?: Maintenance;
  /** Absent while nothing was done to the server, and for a host whose power somebody else manages. */
  server?: ServerRecord;
}

declare module "../../kernel/object/object-of.ts" {
  interface ObjectOf {
    host: Host;
  }
}
