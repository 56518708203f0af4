/** A condition of a system, checked before the system is registered. */
export interface Check {
  what: string;
  /** `unknown`: the system does not report it. */
  outcome: "ok" | "missing" | "unknown";
}
