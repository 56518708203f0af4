import * as z from "zod";
import { bareMetalHosts } from "../../core/ports/bare-metal/metal3/host.ts";
import { column, customKind } from "../kubernetes/custom-kind.ts";

const { group, version, kind, plural } = bareMetalHosts;

/** BareMetalHost, with the relevant members of its spec. */
export const bareMetalHostKind = customKind(group, version, kind, plural, {
  shortNames: ["bmh", "bmhost"],
  printColumns: [
    column("Status", ".status.operationalStatus"),
    column("State", ".status.provisioning.state"),
    column("Consumer", ".spec.consumerRef.name"),
    column("BMC", ".spec.bmc.address"),
    column("Online", ".spec.online"),
    column("Error", ".status.errorType"),
  ],
});

export const specSchema = z.looseObject({
  online: z.boolean(),
  bootMACAddress: z.string(),
  bmc: z.looseObject({ address: z.string(), credentialsName: z.string() }),
  image: z.looseObject({ url: z.string(), format: z.string().optional() }).optional(),
});
export type Spec = z.infer<typeof specSchema>;

export interface Status {
  poweredOn: boolean;
  operationalStatus: "OK" | "error" | "detached";
  errorType?: ErrorType;
  errorMessage: string;
  errorCount: number;
  lastUpdated: string;
  provisioning: { state: string; ID: string; image?: { url: string } };
  hardware?: object;
  provisioningFailCount: number;
  operationHistory: Record<string, { start: string; end: null }>;
}

/** The simulated failures of the operator. */
export type ErrorType = "registration error" | "provisioning error" | "power management error";
