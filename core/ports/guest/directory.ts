import type { Clock } from "../../clock.ts";
import type { Hubs } from "../hub/hub.ts";
import type { Fetch } from "../kubernetes/connection.ts";
import type { Guests } from "./guest.ts";

export interface GuestDirectoryOptions {
  hubs: Hubs;
  wall: Clock;
  /** Replaces the network. */
  fetch?: Fetch;
}

/** Clients of hosted clusters, by the kubeconfigs that their hubs have. */
export function guestDirectory({ hubs, wall, fetch }: GuestDirectoryOptions): Guests {
  return {
    async reach(hub, owner, work) {
      const kubeconfig = await (await hubs.client(hub)).credentials.readKubeconfig(owner);
      if (kubeconfig === undefined) return undefined;
      // Loads the Kubernetes client, which not every process of a worker needs.
      const [{ KubernetesGuest }, { hostedConnection }] = await Promise.all([
        import("./kubernetes/kubernetes.ts"),
        import("../kubernetes/kubeconfig.ts"),
      ]);
      const connection = hostedConnection(kubeconfig);
      const guest = new KubernetesGuest({ connection, wall, ...(fetch && { fetch }) });
      try {
        return await work(guest);
      } finally {
        await guest.close();
      }
    },
  };
}
