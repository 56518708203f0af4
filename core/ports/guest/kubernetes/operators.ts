import { isDeepStrictEqual } from "node:util";
import * as z from "zod";
import type { HubApi } from "../../kubernetes/api.ts";
import { holding } from "../../kubernetes/conditions.ts";
import type { KubeObject } from "../../kubernetes/kube-object.ts";
import {
  failed,
  type GuestObservation,
  guestDone,
  guestPending,
  type OperatorRequest,
} from "../guest.ts";
import { operatorObjects, subscriptionTo } from "./objects.ts";
import { tellAll } from "./told.ts";

/** Conditions that explain why a Subscription makes no progress, the most specific first. */
const troubles = [
  "ResolutionFailed",
  "CatalogSourcesUnhealthy",
  "InstallPlanMissing",
  "InstallPlanPending",
];

/** Reasons of a Failed version that OLM retries. */
const passing = [
  "InstallCheckFailed",
  "InstallComponentFailed",
  "ComponentUnhealthy",
  "NeedsReinstall",
  "NoOperatorGroup",
  "TooManyOperatorGroups",
];

const subscriptionStatus = z.object({
  currentCSV: z.string().optional(),
  installedCSV: z.string().optional(),
});

const versionStatus = z.object({
  phase: z.string().optional(),
  reason: z.string().optional(),
  message: z.string().optional(),
});

/**
 * Subscribes to an operator; done when the version that OLM chose is installed. Applies nothing while OLM
 * installs it.
 */
export async function ensureOperator(
  api: HubApi,
  operator: OperatorRequest,
): Promise<GuestObservation> {
  const seen = await see(api, operator);
  if (isUnderWay(operator, seen)) return told(operator, seen);
  const said = await tellAll(operatorObjects(operator), (object) => api.apply(object));
  return said ?? told(operator, await see(api, operator));
}

/** A subscription, and the version that OLM chose for it. */
interface Seen {
  subscription: KubeObject | undefined;
  version: KubeObject | undefined;
}

async function see(api: HubApi, operator: OperatorRequest): Promise<Seen> {
  const subscription = await api.read(subscriptionTo(operator));
  const { currentCSV } = chosen(subscription);
  const version = currentCSV === undefined ? undefined : readVersion(api, operator, currentCSV);
  return { subscription, version: await version };
}

/**
 * Whether OLM is installing the requested operator. A failed version may lack objects that we have to apply.
 */
const isUnderWay = (operator: OperatorRequest, { subscription, version }: Seen): boolean =>
  version !== undefined &&
  statusOf(version).phase !== "Failed" &&
  isDeepStrictEqual(subscription?.spec, subscriptionTo(operator).spec);

function told(operator: OperatorRequest, { subscription, version }: Seen): GuestObservation {
  const title = `operator ${operator.package}`;
  const plan = holding(subscription, "InstallPlanFailed");
  if (plan) return failed(`${title}: ${plan.message}`);
  if (!version) {
    const trouble = troubles.map((type) => holding(subscription, type)).find(Boolean);
    return guestPending(`${title}: ${trouble?.message || "its catalog has not answered yet"}`);
  }
  const { currentCSV, installedCSV } = chosen(subscription);
  const { phase = "Pending", reason = "", message = "" } = statusOf(version);
  if (phase === "Succeeded" && installedCSV === currentCSV) return guestDone;
  const words = `${title}: ${currentCSV} is ${phase}${message && ` (${message})`}`;
  return phase === "Failed" && !passing.includes(reason) ? failed(words) : guestPending(words);
}

const chosen = (subscription: KubeObject | undefined) =>
  subscriptionStatus.safeParse(subscription?.status).data ?? {};

const statusOf = (version: KubeObject) => versionStatus.safeParse(version.status).data ?? {};

const readVersion = (api: HubApi, { namespace }: OperatorRequest, name: string) =>
  api.read({
    apiVersion: "operators.coreos.com/v1alpha1",
    kind: "ClusterServiceVersion",
    metadata: { name, namespace },
  });
