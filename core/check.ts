/** A condition to check before something is registered. */
export interface Check {
  what: string;
  /** `unknown`: the system does not tell. */
  outcome: "ok" | "missing" | "unknown";
}
