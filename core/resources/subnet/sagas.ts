/** The names of the sagas on subnets, for code that starts them without knowing their steps. */
export const subnetSagas = {
  kind: "subnet",
  create: "subnet-create",
  delete: "subnet-delete",
  onHub: { create: "hub-subnet-create", delete: "hub-subnet-delete" },
} as const;
