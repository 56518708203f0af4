/** The sagas on networks, for code that starts them and need not know their steps. */
export const virtualNetworkSagas = {
  create: "virtual-network-create",
  delete: "virtual-network-delete",
} as const;
