import * as z from "zod";
import { AppError } from "../../../../error.ts";
import type { HubApi, MergePatch } from "../../../kubernetes/api.ts";
import {
  apiVersionOf,
  infraEnvs,
  type KubeObject,
  type ObjectName,
} from "../../../kubernetes/kube-object.ts";
import { type Owner, type OwnershipTag, ownerLabel } from "../../../owner.ts";
import { nodeSetLabel } from "../../clusters/labels.ts";
import type { News } from "../../news.ts";
import { newsOf } from "../../reported.ts";
import { agentNamespace, reportedKinds } from "../../reported-kinds.ts";
import type { ReportedHardware } from "../hardware.ts";
import { agentLabels, hostTypeLabel } from "../labels.ts";
import type { Agents } from "../port.ts";
import { hardwareIn } from "./hardware.ts";

/** Agents of the assisted service: hosts that have booted its discovery image, and wait to be bound. */
export class AssistedAgents implements Agents {
  readonly #api: HubApi;

  constructor(api: HubApi) {
    this.#api = api;
  }

  async readAll(): Promise<News[]> {
    return this.#list();
  }

  /** Reads the agents that match a label selector. */
  async readLabelled(labelSelector: string): Promise<News[]> {
    return this.#list({ labelSelector });
  }

  async release({ kind, id }: OwnershipTag, agent: string): Promise<void> {
    await this.#api.change(agentNamed(agent), (object) => {
      // A late undo must not remove the next owner's labels.
      if (object?.metadata.labels?.[ownerLabel(kind)] !== id) return undefined;
      if (boundTo(object) !== undefined) {
        throw new AppError("Unavailable", `agent ${agent} is still bound to a cluster`);
      }
      return { metadata: { labels: { [ownerLabel(kind)]: null, [nodeSetLabel]: null } } };
    });
  }

  async reserve(owner: Owner, agent: string, set: string): Promise<void> {
    const wanted = agentLabels(owner, set);
    await this.#api.change(agentNamed(agent), (object): MergePatch | undefined => {
      if (!object) throw new AppError("Rejected", `agent ${agent} does not exist on the hub`);
      const labels = object.metadata.labels ?? {};
      const bound = boundTo(object) ?? owner.name;
      if (isAnothers(labels, owner) || bound !== owner.name) {
        throw new AppError("Rejected", `agent ${agent} belongs to another owner`);
      }
      const isReserved = Object.entries(wanted).every(([key, value]) => labels[key] === value);
      if (isReserved && object.spec?.approved === true) return undefined;
      return { metadata: { labels: wanted }, spec: { approved: true } };
    });
  }

  async discoveryImage(): Promise<string> {
    const { items } = await this.#api.list(infraEnvs, { namespace: agentNamespace });
    // A cluster's InfraEnv makes agents for that cluster only.
    const images = items.flatMap(({ spec, status }) => {
      if (spec?.clusterRef !== undefined) return [];
      return imageSchema.safeParse(status).data?.isoDownloadURL ?? [];
    });
    const [image, another] = images;
    if (image === undefined)
      throw new AppError("Unavailable", "the hub has no discovery image: it needs an InfraEnv");
    if (another !== undefined)
      throw new AppError("Rejected", "the hub has several InfraEnvs for discovery: it needs one");
    return image;
  }

  async forget(agent: string): Promise<void> {
    const object = await this.#api.read(agentNamed(agent));
    if (!object) return;
    if (boundTo(object) !== undefined)
      throw new AppError("Unavailable", `agent ${agent} is still bound to a cluster`);
    await this.#api.remove(agentNamed(agent));
  }

  async hardware(agent: string): Promise<ReportedHardware | undefined> {
    const object = await this.#api.read(agentNamed(agent));
    return object && hardwareIn(object);
  }

  async admit(agent: string, { name, hostType }: { name: string; hostType: string }) {
    await this.#api.change(agentNamed(agent), (object): MergePatch | undefined => {
      if (!object) throw new AppError("Rejected", `agent ${agent} does not exist on the hub`);
      const { labels } = object.metadata;
      const { approved, hostname } = object.spec ?? {};
      if (approved === true && hostname === name && labels?.[hostTypeLabel] === hostType)
        return undefined;
      return {
        metadata: { labels: { [hostTypeLabel]: hostType } },
        spec: { approved: true, hostname: name },
      };
    });
  }

  async #list(selection: { labelSelector?: string } = {}): Promise<News[]> {
    const { items } = await this.#api.list(reportedKinds.Agent, {
      ...selection,
      ...reportedKinds.Agent.selection,
    });
    return items.map((object) => newsOf("Agent", object));
  }
}

const imageSchema = z.object({ isoDownloadURL: z.string().min(1) });

const agentNamed = (name: string): ObjectName => ({
  apiVersion: apiVersionOf(reportedKinds.Agent),
  kind: "Agent",
  metadata: { name, namespace: agentNamespace },
});

/** The keys of owners' labels; the key has the owner's kind. */
const ownerKey = /^slipway\.dev\/[a-z_]+$/;

/** Whether the labels name another owner, of any kind. */
const isAnothers = (labels: Record<string, string>, { kind, id }: OwnershipTag): boolean =>
  Object.entries(labels).some(
    ([key, value]) => ownerKey.test(key) && (key !== ownerLabel(kind) || value !== id),
  );

/** The ClusterDeployment that an agent is bound to; undefined if it is unbound. */
function boundTo(agent: KubeObject | undefined): string | undefined {
  const reference = z.object({ name: z.string().min(1) });
  return reference.safeParse(agent?.spec?.clusterDeploymentName).data?.name;
}
