import { chosen, commandLine, quoted, setsOf } from "../ui/command.ts";

/** A server order in the form. */
export interface ServerDraft {
  /** The id of the offer. */
  offer: string;
  name: string;
  parameters: Record<string, unknown>;
  /** The ids of its subnet and of its security groups. */
  subnet: string;
  groups: string[];
  image: string;
  sshPublicKey: string;
  userData: string;
  isOff: boolean;
}

export const emptyServer = (offer: string): ServerDraft => ({
  ...{ offer, name: "", parameters: {}, subnet: "", groups: [] },
  ...{ image: "", sshPublicKey: "", userData: "", isOff: false },
});

/** The chosen members; the offer determines the rest. */
function specOf(draft: ServerDraft) {
  const { parameters, subnet, groups, userData, isOff } = draft;
  const [key, image] = [draft.sshPublicKey.trim(), draft.image.trim()];
  const attachment = { subnet, ...(groups.length > 0 && { security_groups: groups }) };
  return {
    catalog_item: draft.offer,
    ...(chosen(parameters).length > 0 && {
      template_parameters: Object.fromEntries(chosen(parameters)),
    }),
    ...(subnet !== "" && { network_attachments: [attachment] }),
    ...(image !== "" && { image: { source_type: "registry", source_ref: image } }),
    ...(key !== "" && { ssh_public_key: key }),
    ...(userData !== "" && { user_data: userData }),
    ...(isOff && { run_strategy: "BARE_METAL_INSTANCE_RUN_STRATEGY_HALTED" }),
  };
}

export const serverOf = (draft: ServerDraft) => ({
  metadata: { name: draft.name },
  spec: specOf(draft),
});

/** The equivalent command. */
export function serverCommandOf(draft: ServerDraft): string {
  const { catalog_item, user_data, ...spec } = specOf(draft);
  return commandLine([
    `slipway baremetal-instance create ${quoted(draft.name || "NAME")}`,
    `--catalog-item ${quoted(catalog_item)}`,
    // In a file, since it may contain secrets, which a shell's history would keep.
    ...(user_data === undefined ? [] : ["--user-data-file user-data.yaml"]),
    ...setsOf(Object.entries(spec).map(([member, value]) => [`spec.${member}`, value])),
    "--wait",
  ]);
}
