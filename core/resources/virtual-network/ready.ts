import { AppError } from "../../error.ts";
import type { ReferenceInput } from "../../kernel/input/reference.ts";
import type { MetadataInput } from "../../kernel/object/metadata.ts";
import type { Kind } from "../../kernel/object/object.ts";
import type { Request } from "../../kernel/request/definition.ts";
import { notFoundHere, resolveLocal } from "../../kernel/request/resolve.ts";
import type { VirtualNetwork } from "./model.ts";

/**
 * The network that an order names, in its own tenant and project; undefined, with a violation, if there is
 * none. Throws FailedPrecondition, as OSAC does, for a network that is not created yet or is being deleted.
 */
export async function readyNetwork<K extends Kind>(
  request: Pick<
    Request<K, { metadata: MetadataInput }>,
    "deps" | "tenant" | "input" | "violations"
  >,
  named: ReferenceInput,
  /** The network's id, if the caller knows it. */
  meant?: string,
): Promise<VirtualNetwork | undefined> {
  const { deps, tenant, input, violations } = request;
  const place = { tenant, project: input.metadata.project };
  // In a reference with both id and name, both have to match.
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
