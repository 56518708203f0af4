import * as z from "zod";
import type { CustomKind, ObjectName } from "../../kubernetes/kube-object.ts";

/** Metal3's BareMetalHost, as far as the adapter reads and writes it. */

export const bareMetalHosts: CustomKind = {
  group: "metal3.io",
  version: "v1alpha1",
  kind: "BareMetalHost",
  plural: "baremetalhosts",
};

export const nameOf = (namespace: string, name: string): ObjectName => ({
  apiVersion: `${bareMetalHosts.group}/${bareMetalHosts.version}`,
  kind: bareMetalHosts.kind,
  metadata: { namespace, name },
});

/** An image that is booted and not written to the disk, and so needs no checksum. */
const liveImageSchema = z.strictObject({ url: z.string(), format: z.literal("live-iso") });

/** What the adapter writes. */
export const writtenSchema = z.strictObject({
  online: z.boolean(),
  image: liveImageSchema.nullable(),
});

/** The operator restarts a host that has it, and removes it. */
export const rebootAnnotation = "reboot.metal3.io";

export const hostSchema = z.looseObject({
  metadata: z.looseObject({ annotations: z.record(z.string(), z.string()).default({}) }),
  spec: z.looseObject({
    online: z.boolean(),
    image: z.looseObject({ url: z.string() }).optional(),
    bootMACAddress: z.string().optional(),
  }),
  status: z
    .looseObject({
      poweredOn: z.boolean().default(false),
      operationalStatus: z.string().default(""),
      errorMessage: z.string().default(""),
      provisioning: z.looseObject({
        state: z.string(),
        image: z.looseObject({ url: z.string().default("") }).optional(),
      }),
      hardware: z
        .looseObject({
          nics: z.array(z.looseObject({ mac: z.string() })).optional(),
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
export type BareMetalHost = z.infer<typeof hostSchema>;
