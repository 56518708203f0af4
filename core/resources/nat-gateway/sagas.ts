/** The sagas on NAT gateways, for code that starts them and need not know their steps. */
export const natGatewaySagas = {
  kind: "nat_gateway",
  create: "nat-gateway-create",
  delete: "nat-gateway-delete",
} as const;
