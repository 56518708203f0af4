/** The names of the sagas on NAT gateways, for code that starts them without knowing their steps. */
export const natGatewaySagas = {
  kind: "nat_gateway",
  create: "nat-gateway-create",
  delete: "nat-gateway-delete",
} as const;
