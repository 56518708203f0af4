/** The service account that Slipway is on a hub. */
export interface OwnAccount {
  name: string;
  namespace: string;
}

/** Unless the hub's administrator made another. */
export const ownAccount: OwnAccount = { name: "slipway", namespace: "slipway" };
