/** The names of the sagas on networks, for code that starts them without knowing their steps. */
export const virtualNetworkSagas = {
  kind: "virtual_network",
  create: "virtual-network-create",
  delete: "virtual-network-delete",
  onHub: { create: "hub-network-create", delete: "hub-network-delete" },
} as const;
