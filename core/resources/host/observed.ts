import ipaddr from "ipaddr.js";
import * as z from "zod";
import { bounds, cut, most } from "../../bounds.ts";
import { nicMacIn } from "../../mac.ts";
import { clusterLabel, nodeSetLabel } from "../../ports/hub/clusters/labels.ts";
import type { Meanings } from "../../ports/hub/meaning.ts";
import type { News } from "../../ports/hub/news.ts";
import { observationIn } from "../../ports/hub/observation.ts";
import type { Host, ObservedAgent } from "./model.ts";

/** Translates an agent's reports into observations of its host. Pure. */

const agentStatus = z.object({
  debugInfo: z
    .object({ state: z.string().catch(""), stateInfo: z.string().catch("") })
    .catch({ state: "", stateInfo: "" }),
  inventory: z
    .object({
      interfaces: z
        .array(
          z.object({
            macAddress: z.string().optional(),
            ipV4Addresses: z.array(z.string()).nullish(),
            ipV6Addresses: z.array(z.string()).nullish(),
          }),
        )
        .catch([]),
    })
    .catch({ interfaces: [] }),
});

/** An IPv6 address with an interface name as its zone. */
const longestAddress = 64;

const bound = z.object({ name: z.string().min(1) });

/**
 * An Agent: assisted-service's object of a discovered host. `now` is an RFC 3339 timestamp of the
 * deployment's clock.
 */
export function observedAgent(news: News, now: string): Omit<ObservedAgent, "hub"> {
  const { metadata, spec, status } = news.object;
  const { debugInfo, inventory } = agentStatus.parse(status ?? {});
  return {
    name: cut(metadata.name, bounds.name),
    ...observationIn(news, now),
    state: cut(debugInfo.state, bounds.name),
    message: cut(debugInfo.stateInfo, bounds.reason),
    bound_to: cut(bound.safeParse(spec?.clusterDeploymentName).data?.name ?? "", bounds.name),
    labelled_for: cut(metadata.labels?.[clusterLabel] ?? "", bounds.name),
    addresses: inventory.interfaces
      .flatMap(({ ipV4Addresses, ipV6Addresses }) => [
        ...(ipV4Addresses ?? []),
        ...(ipV6Addresses ?? []),
      ])
      // The inventory lists addresses with prefix lengths.
      .map((address) => address.split("/")[0] ?? "")
      // An IPv6 address may have a zone, which may be any text.
      .filter((address) => address.length <= longestAddress && ipaddr.isValid(address))
      .slice(0, most.addresses),
  };
}

/** The MAC addresses of an agent's NICs, without duplicates. */
export function macsOf(news: News): string[] {
  const { inventory } = agentStatus.parse(news.object.status ?? {});
  const macs = inventory.interfaces.flatMap(({ macAddress }) => nicMacIn(macAddress ?? "") ?? []);
  return [...new Set(macs)];
}

/** A host's agent on its present hub; the versions of objects on a previous hub are not comparable. */
export const agentOf = ({ spec, status: { agent } }: Host): ObservedAgent | undefined =>
  agent?.hub === spec.hub ? agent : undefined;

export const meanings: Meanings = {
  Agent(news) {
    const { state, message, ...decides } = observedAgent(news, "");
    return {
      decides: {
        ...decides,
        macs: macsOf(news),
        nodeSet: news.object.metadata.labels?.[nodeSetLabel],
        // When a host joins or leaves a cluster, only these states of its agent matter.
        ends: ends.has(state) && state,
      },
      progress: { state, message },
    };
  },
};

/** The agent is ready for a cluster, has joined one, or has failed to. */
const ends: ReadonlySet<string> = new Set(["known-unbound", "added-to-existing-cluster", "error"]);
