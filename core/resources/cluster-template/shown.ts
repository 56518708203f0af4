import { named } from "../../kernel/object/wire.ts";
import type { ClusterTemplate } from "./model.ts";

/** The content of a template in the API's answers. */
export function contentShown({ spec }: Pick<ClusterTemplate, "spec">) {
  const {
    parameters = [],
    node_sets,
    allowed_host_types,
    version,
    network,
    ssh_public_key,
    pull_secret_secret,
    ...rest
  } = spec;
  return {
    ...rest,
    parameters,
    node_sets: Object.fromEntries(
      Object.entries(node_sets).map(([name, { host_type, size, allowed_host_types }]) => [
        name,
        { host_type: named(host_type), size, ...hostTypes(allowed_host_types) },
      ]),
    ),
    ...hostTypes(allowed_host_types),
    spec_defaults: {
      ...(version === undefined ? {} : { version: named(version) }),
      ...(network === undefined ? {} : { network }),
      ...(ssh_public_key === undefined ? {} : { ssh_public_key }),
      ...(pull_secret_secret === undefined ? {} : { pull_secret_secret }),
    },
  };
}

const hostTypes = (names: string[] | undefined) =>
  names === undefined ? {} : { allowed_host_types: names.map(named) };
