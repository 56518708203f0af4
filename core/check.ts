/** One thing that has to be so before something is registered. */
export interface Check {
  what: string;
  /** `unknown`: nobody says. */
  outcome: "ok" | "missing" | "unknown";
}
