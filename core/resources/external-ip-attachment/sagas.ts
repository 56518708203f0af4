/** The names of the sagas on attachments, for code that starts them without knowing their steps. */
export const attachmentSagas = {
  kind: "external_ip_attachment",
  create: "external-ip-attachment-create",
  delete: "external-ip-attachment-delete",
} as const;
