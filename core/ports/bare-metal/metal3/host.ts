import * as z from "zod";
import { AppError } from "../../../error.ts";
import type { CustomKind, KubeObject, ObjectName } from "../../kubernetes/kube-object.ts";

/** The members of Metal3's BareMetalHost that the adapter reads and writes. */

export const bareMetalHosts: CustomKind = {
  group: "metal3.io",
  version: "v1alpha1",
  kind: "BareMetalHost",
  plural: "baremetalhosts",
};

/** The namespace and name of a BareMetalHost on its hub. */
export interface BareMetalHostName {
  namespace: string;
  name: string;
}

export const hostNameOf = ({ namespace, name }: BareMetalHostName): ObjectName => ({
  apiVersion: `${bareMetalHosts.group}/${bareMetalHosts.version}`,
  kind: bareMetalHosts.kind,
  metadata: { namespace, name },
});

/** An image that is booted live and not written to the disk, and so needs no checksum. */
const liveImageSchema = z.strictObject({ url: z.string(), format: z.literal("live-iso") });

const consumerSchema = z.looseObject({
  apiVersion: z.string().default(""),
  kind: z.string().default(""),
  namespace: z.string().optional(),
  name: z.string().default(""),
});
export type Consumer = z.infer<typeof consumerSchema>;

/** The members that the adapter writes. */
export const writtenSchema = z.strictObject({
  online: z.boolean(),
  image: liveImageSchema.nullable(),
  consumerRef: consumerSchema.nullable(),
  automatedCleaningMode: z.literal("disabled"),
});

/** The operator restarts a host with this annotation, and then removes the annotation. */
export const rebootAnnotation = "reboot.metal3.io";

/** The operator stops managing a host with this annotation, as soon as the host's state permits that. */
export const detachedAnnotation = "baremetalhost.metal3.io/detached";

/** The operator ignores a host with this annotation until it is removed. */
export const pausedAnnotation = "baremetalhost.metal3.io/paused";

export const bareMetalHostSchema = z.looseObject({
  metadata: z.looseObject({
    uid: z.string().optional(),
    annotations: z.record(z.string(), z.string()).default({}),
  }),
  spec: z.looseObject({
    online: z.boolean(),
    image: z.looseObject({ url: z.string() }).optional(),
    customDeploy: z.looseObject({ method: z.string() }).optional(),
    externallyProvisioned: z.boolean().default(false),
    bootMACAddress: z.string().optional(),
    bmc: z.looseObject({ address: z.string() }).optional(),
    consumerRef: consumerSchema.optional(),
  }),
  status: z
    .looseObject({
      poweredOn: z.boolean().default(false),
      operationalStatus: z.string().default(""),
      errorType: z.string().default(""),
      errorMessage: z.string().default(""),
      errorCount: z.number().default(0),
      provisioning: z.looseObject({
        state: z.string(),
        image: z.looseObject({ url: z.string().default("") }).optional(),
      }),
      hardware: z
        .looseObject({
          nics: z.array(z.looseObject({ mac: z.string() })).optional(),
          ramMebibytes: z.number().optional(),
          systemVendor: z
            .looseObject({
              manufacturer: z.string().optional(),
              productName: z.string().optional(),
              serialNumber: z.string().optional(),
            })
            .optional(),
        })
        .optional(),
    })
    .optional(),
});
export type BareMetalHost = z.infer<typeof bareMetalHostSchema>;

/** Parses a hub's BareMetalHost. Throws Rejected if it is absent, and Unavailable if it is malformed. */
export function understood(
  object: KubeObject | undefined,
  { namespace, name }: BareMetalHostName,
): BareMetalHost {
  if (!object) throw new AppError("Rejected", `the hub has no BareMetalHost ${namespace}/${name}`);
  const host = bareMetalHostSchema.safeParse(object);
  if (host.success) return host.data;
  const message = "the hub's BareMetalHost is malformed";
  throw new AppError("Unavailable", message, { detail: String(host.error) });
}
