import type { Clock } from "../../clock.ts";
import { AppError } from "../../error.ts";
import type { Kinds } from "../../kernel/object/kind.ts";
import { load } from "../../kernel/object/records.ts";
import { Away } from "../../kernel/saga/away.ts";
import type { Store } from "../../kernel/store/store.ts";
import type { HubClient, Hubs } from "../../ports/hub/hub.ts";
import type { KubernetesHub } from "../../ports/hub/kubernetes-hub.ts";
import { Breaker } from "../../ports/kubernetes/breaker.ts";
import type { Fetch } from "../../ports/kubernetes/connection.ts";
import type { Secrets } from "../../ports/secrets/secrets.ts";
import { noteCredentialsEnd } from "./credentials-end.ts";
import { type Hub, isAway } from "./model.ts";
import { noteUnanswered } from "./unanswered.ts";

export interface DirectoryOptions {
  store: Store;
  kinds: Kinds;
  secrets: Secrets;
  /** The clock for the pause in which a silent hub is not called. */
  clock: Clock;
  /** The clock for the time limits of calls. */
  wall: Clock;
  /** Replaces the network. */
  fetch?: Fetch;
}

interface Entry {
  generation: number;
  client: Promise<KubernetesHub>;
}

/** Keeps one client for each registered hub, and a new one after a change of the registration. */
export function hubDirectory({
  store,
  kinds,
  secrets,
  clock,
  wall,
  fetch,
}: DirectoryOptions): Hubs {
  const entries = new Map<string, Entry>();

  async function connect(hub: Hub): Promise<KubernetesHub> {
    const kubeconfig = await secrets.get(hub.spec.credentials);
    if (kubeconfig === undefined) {
      throw new AppError("Unavailable", `the credentials of hub ${hub.id} are missing`);
    }
    const { KubernetesHub, parseKubeconfig, credentialsEnd } = await kubernetes();
    const connection = parseKubeconfig(kubeconfig);
    // If the write fails, the next process that connects repeats it.
    await noteCredentialsEnd({ store, kinds, clock }, hub, credentialsEnd(connection)).catch(
      () => {},
    );
    return new KubernetesHub({
      connection,
      wall,
      breaker: new Breaker({
        clock,
        of: { system: "hub", instance: hub.id },
        // The requested sweep finds out whether the hub answers. If the request is lost, the scheduled sweep does.
        failed: (error) => noteUnanswered({ store, clock }, hub.id, error).catch(() => {}),
      }),
      ...(fetch && { fetch }),
    });
  }

  return {
    async client(id, { evenAway } = { evenAway: false }): Promise<HubClient> {
      const hub = await load({ store, kinds }, "hub", id);
      if (!hub) throw new AppError("NotFound", `hub '${id}' does not exist`);
      if (!evenAway && isAway(hub)) throw new Away({ system: "hub", instance: id });
      const known = entries.get(id);
      if (known?.generation === hub.generation) return known.client;

      const entry = { generation: hub.generation, client: connect(hub) };
      entries.set(id, entry);
      try {
        const client = await entry.client;
        // Closed in the background: calls may be in flight, and errors of the close do not matter.
        known?.client.then((old) => old.close()).catch(() => {});
        return client;
      } catch (error) {
        // The next call connects again.
        if (entries.get(id) === entry) entries.delete(id);
        throw error;
      }
    },
  };
}

/** Loads the Kubernetes client on first use, because loading is slow and not every worker process calls a hub. */
async function kubernetes() {
  const [{ KubernetesHub }, { parseKubeconfig, credentialsEnd }] = await Promise.all([
    import("../../ports/hub/kubernetes-hub.ts"),
    import("../../ports/kubernetes/kubeconfig.ts"),
  ]);
  return { KubernetesHub, parseKubeconfig, credentialsEnd };
}
