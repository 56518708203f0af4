import * as z from "zod";
import { int32, labels, namespaced, subdomain } from "./schema.ts";

/** Strict schemas of MetalLB's kinds: exactly the members that we set. */

export const addressPoolSchema = z.strictObject({
  apiVersion: z.literal("metallb.io/v1beta1"),
  kind: z.literal("IPAddressPool"),
  metadata: namespaced(subdomain),
  spec: z.strictObject({
    addresses: z.array(z.string().regex(/^[0-9a-fA-F:.]+(-[0-9a-fA-F:.]+|\/\d{1,3})$/)).min(1),
    autoAssign: z.boolean(),
    serviceAllocation: z
      .strictObject({
        priority: int32,
        namespaceSelectors: z.array(z.strictObject({ matchLabels: labels })).min(1),
      })
      .optional(),
  }),
});
export type AddressPool = z.infer<typeof addressPoolSchema>;

export const metalLbSchema = z.strictObject({
  apiVersion: z.literal("metallb.io/v1beta1"),
  kind: z.literal("MetalLB"),
  metadata: namespaced(subdomain),
  spec: z.strictObject({}),
});
export type MetalLb = z.infer<typeof metalLbSchema>;

export const l2AdvertisementSchema = z.strictObject({
  apiVersion: z.literal("metallb.io/v1beta1"),
  kind: z.literal("L2Advertisement"),
  metadata: namespaced(subdomain),
  spec: z.strictObject({ ipAddressPools: z.array(subdomain) }),
});
export type L2Advertisement = z.infer<typeof l2AdvertisementSchema>;
