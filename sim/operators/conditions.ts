/** A condition in the status of a Kubernetes object. */
export interface KubeCondition {
  type: string;
  status: "True" | "False" | "Unknown";
  reason: string;
  message: string;
  lastTransitionTime: string;
  observedGeneration?: number;
}

/** A condition without its time; `lastTransitionTime` is computed. */
export interface Finding {
  type: string;
  status: boolean | "Unknown";
  reason: string;
  message?: string;
}

interface Moment {
  /** Milliseconds since the epoch. */
  now: number;
  /** The generation of the object, where its kind records it. */
  generation?: number | undefined;
}

/** The findings as conditions; `lastTransitionTime` changes only with the status. */
export function conditionsOf(
  before: KubeCondition[] | undefined,
  findings: Finding[],
  { now, generation }: Moment,
): KubeCondition[] {
  return findings.map(({ type, status, reason, message = "" }) => {
    const old = conditionOf(before, type);
    const word = status === "Unknown" ? status : status ? "True" : "False";
    return {
      type,
      status: word,
      reason,
      message,
      lastTransitionTime: old?.status === word ? old.lastTransitionTime : kubeTime(now),
      ...(generation !== undefined && { observedGeneration: generation }),
    };
  });
}

export function conditionOf(
  conditions: KubeCondition[] | undefined,
  type: string,
): KubeCondition | undefined {
  return conditions?.find((condition) => condition.type === type);
}

export function isTrue(conditions: KubeCondition[] | undefined, type: string): boolean {
  return conditionOf(conditions, type)?.status === "True";
}

/** A metav1.Time, which has no fractions of a second. */
export function kubeTime(ms: number): string {
  return new Date(ms).toISOString().replace(/\.\d+Z$/, "Z");
}
