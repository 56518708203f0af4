import type { Clock } from "../clock.ts";
import { AppError } from "../error.ts";
import type { Connection, Fetch } from "../hub/connection.ts";
import type { Hubs } from "../hub/hub.ts";
import { parseKubeconfig } from "../hub/kubeconfig.ts";
import type { Guests } from "./guest.ts";
import { KubernetesGuest } from "./kubernetes.ts";

export interface GuestDirectoryOptions {
  hubs: Hubs;
  wall: Clock;
  /** In place of the network. */
  fetch?: Fetch;
}

/** Hosted clusters, by the kubeconfig that their hub has for them. */
export function guestDirectory({ hubs, wall, fetch }: GuestDirectoryOptions): Guests {
  return {
    async reach(hub, names, work) {
      const kubeconfig = await (await hubs.client(hub)).readKubeconfig(names);
      if (kubeconfig === undefined) {
        throw new AppError("Unavailable", "the hosted cluster has no kubeconfig yet");
      }
      const connection = connectionOf(kubeconfig);
      const guest = new KubernetesGuest({ connection, wall, ...(fetch && { fetch }) });
      try {
        return await work(guest);
      } finally {
        await guest.close();
      }
    },
  };
}

function connectionOf(kubeconfig: string): Connection {
  try {
    return parseKubeconfig(kubeconfig);
  } catch (error) {
    const message = "the hosted cluster's kubeconfig cannot be used";
    throw new AppError("Rejected", message, { cause: error });
  }
}
