/** Slipway's service account on a hub. */
export interface OwnAccount {
  name: string;
  namespace: string;
}

/** The default; a hub's administrator may create another. */
export const ownAccount: OwnAccount = { name: "slipway", namespace: "slipway" };
