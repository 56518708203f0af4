/** The names of the sagas on security groups, for code that starts them without knowing their steps. */
export const securityGroupSagas = {
  kind: "security_group",
  create: "security-group-create",
  apply: "security-group-apply",
  delete: "security-group-delete",
  onHub: {
    create: "hub-security-group-create",
    apply: "hub-security-group-apply",
    delete: "hub-security-group-delete",
  },
} as const;
