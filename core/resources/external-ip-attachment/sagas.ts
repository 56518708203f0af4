/** The sagas on attachments, for code that starts them and need not know their steps. */
export const attachmentSagas = {
  kind: "external_ip_attachment",
  create: "external-ip-attachment-create",
  delete: "external-ip-attachment-delete",
} as const;
