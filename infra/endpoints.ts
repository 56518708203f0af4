import type { FunctionName } from "./functions.ts";
import { grants } from "./permissions.ts";

/** The functions in the network of hubs and sites, which may have no route to the Internet. */
export const inNetwork = [
  "hub-worker",
  "site-worker",
  "authorizer",
] as const satisfies FunctionName[];

/**
 * The AWS services that these functions call: each needs a VPC endpoint in their network. Logs, traces and dead
 * letters are sent by Lambda itself. Route 53 has no endpoint: it is reached by the network's own routes.
 */
export const servicesInNetwork: string[] = [
  ...new Set(
    inNetwork
      .flatMap((name) => grants[name])
      .flatMap(({ actions }) => actions.flatMap((action) => action.split(":")[0] ?? [])),
  ),
].sort();

/** Services with a gateway endpoint, reached by a route; all others have an interface endpoint in each subnet. */
export const gateways: readonly string[] = ["dynamodb"];
