import type { FunctionName } from "./functions.ts";
import { grants } from "./permissions.ts";

/** The functions that run in the network of hubs and sites, which need not have a way out. */
export const inNetwork = [
  "hub-worker",
  "site-worker",
  "authorizer",
] as const satisfies FunctionName[];

/**
 * The services of AWS that these functions call: each needs an endpoint in their network. Logs, traces
 * and dead letters leave by Lambda itself. Route 53 has none: it is reached over the network's own
 * routes.
 */
export const servicesInNetwork: string[] = [
  ...new Set(
    inNetwork
      .flatMap((name) => grants[name])
      .flatMap(({ actions }) => actions.flatMap((action) => action.split(":")[0] ?? [])),
  ),
].sort();

/** Services that are reached by a route; all others by an interface in each subnet. */
export const gateways: readonly string[] = ["dynamodb"];
