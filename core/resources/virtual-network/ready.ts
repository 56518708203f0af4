import { AppError } from "../../error.ts";
import type { ReferenceInput } from "../../kernel/input/reference.ts";
import type { MetadataInput } from "../../kernel/object/metadata.ts";
import type { Kind } from "../../kernel/object/object.ts";
import type { Request } from "../../kernel/request/definition.ts";
import { notFoundHere, resolveLocal } from "../../kernel/request/resolve.ts";
import type { VirtualNetwork } from "./model.ts";

/**
 * The network of the same tenant and project that an order names; undefined, with a violation, where there is
 * none. Throws FailedPrecondition, as OSAC does, for a network that is not there yet, or not any more.
 */
export async function readyNetwork<K extends Kind>(
  request: Pick<
    Request<K, { metadata: MetadataInput }>,
    "deps" | "tenant" | "input" | "violations"
  >,
  named: ReferenceInput,
  /** Its id, if that is known already. */
  meant?: string,
): Promise<VirtualNetwork | undefined> {
  const { deps, tenant, input, violations } = request;
  const place = { tenant, project: input.metadata.project };
  // A reference with both members has to match in both.
  const isWhole = typeof named !== "string" && named.id && named.name;
  const reference = isWhole || meant === undefined ? named : { id: meant };
  const network = await resolveLocal(deps, "virtual_network", place, reference);
  if (!network) {
    violations.push({
      field: "spec.virtual_network",
      message: notFoundHere("VirtualNetwork", named),
    });
    return undefined;
  }
  const { metadata, status } = network;
  if (status.state === "VIRTUAL_NETWORK_STATE_READY" || violations.length > 0) return network;
  throw new AppError(
    "FailedPrecondition",
    `network '${metadata.name}' is not READY: ${status.state}`,
  );
}
