import type { Check } from "../../check.ts";
import { AppError } from "../../error.ts";
import { HubApi, type HubApiOptions } from "../kubernetes/api.ts";
import type { KubeObject } from "../kubernetes/kube-object.ts";
import { codeOf } from "../kubernetes/refusal.ts";
import type { Right } from "../kubernetes/right.ts";
import { agentNamespace, reportedKinds } from "./reported-kinds.ts";
import { rights } from "./rights.ts";

export interface Findings {
  checks: Check[];
  /** The cluster's UID, if the credentials may read it. */
  clusterUid?: string;
}

/**
 * Checks that a hub has what Slipway needs: it answers, serves the kinds, has the namespace of agents, and
 * grants the credentials every right. Throws Unavailable when it does not answer or does not accept the
 * credentials.
 */
export async function checkHub(options: Omit<HubApiOptions, "timeout">): Promise<Findings> {
  const api = new HubApi({ ...options, timeout: 10_000 });
  try {
    const checks: Check[] = [{ what: `answers as ${await api.version()}`, outcome: "ok" }];
    for (const { plural, group, version } of Object.values(reportedKinds)) {
      const outcome = (await api.serves({ plural, group, version })) ? "ok" : "missing";
      checks.push({ what: `has ${plural}.${group}/${version}`, outcome });
    }
    const username = await api.username();
    checks.push({
      what: `says who we are${username === undefined ? "" : `: ${username}`}`,
      outcome: username === undefined ? "unknown" : "ok",
    });
    const place = await look(api, agentNamespace);
    const outcome = place === undefined ? "missing" : place === "forbidden" ? "unknown" : "ok";
    checks.push({ what: `has the namespace ${agentNamespace}`, outcome });
    for (const right of rights) {
      const allowed = await api.isAllowed(right);
      const answer = allowed === undefined ? "unknown" : allowed ? "ok" : "missing";
      checks.push({ what: `lets us ${wordsOf(right)}`, outcome: answer });
    }
    const system = await look(api, "kube-system");
    return { checks, ...(typeof system === "object" && { clusterUid: system.metadata.uid }) };
  } finally {
    await api.close();
  }
}

/**
 * Reads a namespace. If that is forbidden, the check continues, and reports the missing right with the
 * others.
 */
async function look(api: HubApi, namespace: string): Promise<KubeObject | "forbidden" | undefined> {
  try {
    return await api.read({ apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } });
  } catch (error) {
    if (error instanceof AppError && codeOf(error.cause) === 403) return "forbidden";
    throw error;
  }
}

function wordsOf({ verb, group, resource, namespace, name }: Right): string {
  const what = group === "" ? resource : `${resource}.${group}`;
  const which = name === undefined ? what : `${what} ${name}`;
  return namespace === undefined ? `${verb} ${which}` : `${verb} ${which} in ${namespace}`;
}
