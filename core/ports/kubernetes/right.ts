/** A right in RBAC's terms. */
export interface Right {
  verb: string;
  group: string;
  /** The kind's plural. */
  resource: string;
  namespace?: string;
  name?: string;
}
