import type { Clock } from "../../clock.ts";
import type { Hubs } from "../hub/hub.ts";
import type { Fetch } from "../kubernetes/connection.ts";
import type { Guests } from "./guest.ts";

export interface GuestDirectoryOptions {
  hubs: Hubs;
  wall: Clock;
  /** Replaces the HTTP client. */
  fetch?: Fetch;
}

/** Clients of hosted clusters, by the kubeconfigs on their hubs. */
export function guestDirectory({ hubs, wall, fetch }: GuestDirectoryOptions): Guests {
  return {
    async reach(hub, owner, work) {
      const kubeconfig = await (await hubs.client(hub)).credentials.readKubeconfig(owner);
      if (kubeconfig === undefined) return undefined;
      // Loaded on first use: not every process of a worker needs the Kubernetes client.
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
