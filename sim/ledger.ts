/** The order that owns an object outside. */
export interface Owner {
  /** The tenant; empty until an object names it. */
  tenant: string;
  kind: string;
  id: string;
}

/** One object that exists outside of Slipway. */
export interface LedgerItem {
  /** The Kind of a Kubernetes object; otherwise a word in lower case. */
  kind: string;
  id: string;
  /** `hub:<id>`, `hardware`, `dpu`, `ironic`, or the site's `fabric`, `dhcp`, `dns`, `storage` or `netbox`. */
  system: string;
  owner: Owner | null;
}

/** A server in another service that a host of Slipway has claimed there. */
export const claimItem = (id: string, system: string, host: string): LedgerItem => ({
  ...{ kind: "server_claim", id, system },
  owner: { tenant: "", kind: "host", id: host },
});
