import { AppError } from "../../../error.ts";
import {
  type BareMetalHost,
  type BareMetalHostName,
  type Consumer,
  detachedAnnotation,
} from "./host.ts";

/** The user of a BareMetalHost: `consumerRef` names it, and only the named consumer changes the object. */

const apiVersion = "slipway.dev/v1";
const kind = "Host";

/** A host of Slipway, as `consumerRef`. */
export const consumerOf = (host: string): Consumer => ({ apiVersion, kind, name: host });

/** The id of the Slipway host that uses a BareMetalHost; undefined when none does. */
export const holderOf = ({ spec: { consumerRef } }: BareMetalHost): string | undefined =>
  consumerRef?.apiVersion === apiVersion && consumerRef.kind === kind
    ? consumerRef.name
    : undefined;

/**
 * Whether this host already has the BareMetalHost; false if it is free. Throws Rejected, with what was seen,
 * when somebody else uses it, and Unavailable while another host of Slipway has not yet given it up.
 */
export function isClaimed(host: BareMetalHost, by: string, at: BareMetalHostName): boolean {
  const holder = holderOf(host);
  if (holder === by) return true;
  const what = `the BareMetalHost ${at.namespace}/${at.name}`;
  if (holder !== undefined)
    throw new AppError("Unavailable", `${what} is still claimed for host ${holder}`);
  const use = useOf(host);
  if (use === undefined) return false;
  throw new AppError("Rejected", `expected ${what} to be free; ${use}`);
}

/** Signs that somebody uses a BareMetalHost, since not everybody sets `consumerRef`. */
function useOf({ metadata: { annotations }, spec }: BareMetalHost): string | undefined {
  const { consumerRef, image, customDeploy, externallyProvisioned } = spec;
  if (consumerRef)
    return `its consumer is ${[consumerRef.kind, consumerRef.namespace, consumerRef.name].filter(Boolean).join(" ")}`;
  if (externallyProvisioned) return "it is externally provisioned";
  if (image) return "it names an image";
  if (customDeploy) return `it names the deployment ${customDeploy.method}`;
  return detachedAnnotation in annotations ? "it is detached" : undefined;
}
