import { AppError } from "../error.ts";
import { HubApi, type HubApiOptions } from "./api.ts";
import { agentNamespace } from "./hub.ts";
import { type ObjectName, reportedKinds } from "./kube-object.ts";
import { codeOf } from "./refusal.ts";
import { type Right, rights } from "./rights.ts";

export interface Check {
  what: string;
  /** `unknown`: the server does not say. */
  outcome: "ok" | "missing" | "unknown";
}

/**
 * Whether a hub has what Slipway needs: it answers, it has the kinds and the namespace of agents,
 * and the credentials have every right. Throws Unavailable when it does not answer or does not
 * accept the credentials.
 */
export async function checkHub(options: Omit<HubApiOptions, "timeout">): Promise<Check[]> {
  const api = new HubApi({ ...options, timeout: 10_000 });
  try {
    const checks: Check[] = [{ what: `answers as ${await api.version()}`, outcome: "ok" }];
    for (const { plural, group, version } of Object.values(reportedKinds)) {
      const outcome = (await api.serves({ plural, group, version })) ? "ok" : "missing";
      checks.push({ what: `has ${plural}.${group}/${version}`, outcome });
    }
    const place = { apiVersion: "v1", kind: "Namespace", metadata: { name: agentNamespace } };
    checks.push({ what: `has the namespace ${agentNamespace}`, outcome: await has(api, place) });
    for (const right of rights) {
      const allowed = await api.isAllowed(right);
      const answer = allowed === undefined ? "unknown" : allowed ? "ok" : "missing";
      checks.push({ what: `lets us ${wordsOf(right)}`, outcome: answer });
    }
    return checks;
  } finally {
    await api.close();
  }
}

/** What may not be read is unknown: that the right is missing is told with the others. */
async function has(api: HubApi, object: ObjectName): Promise<Check["outcome"]> {
  try {
    return (await api.read(object)) ? "ok" : "missing";
  } catch (error) {
    if (error instanceof AppError && codeOf(error.cause) === 403) return "unknown";
    throw error;
  }
}

function wordsOf({ verb, group, resource, namespace, name }: Right): string {
  const what = group === "" ? resource : `${resource}.${group}`;
  const which = name === undefined ? what : `${what} ${name}`;
  return namespace === undefined ? `${verb} ${which}` : `${verb} ${which} in ${namespace}`;
}
