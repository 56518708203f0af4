import type { ClusterCatalogItem, ClusterTemplate } from "../generated/answers.ts";
import { chosen, commandLine, quoted, setsOf } from "../ui/command.ts";

/** A cluster order in the form. */
export interface Draft {
  template: string;
  offer: string | undefined;
  name: string;
  /** The chosen sizes of node sets. */
  sizes: Record<string, number>;
  parameters: Record<string, unknown>;
  sshPublicKey: string;
}

export const emptyDraft = (
  { id = "" }: ClusterTemplate,
  offer: ClusterCatalogItem | undefined,
): Draft => ({
  template: id,
  offer: offer?.id,
  name: "",
  sizes: {},
  parameters: {},
  sshPublicKey: "",
});

/** The order for the API; what was not chosen is absent, so that the template's defaults apply. */
export function orderOf({ template, offer, name, sizes, parameters, sshPublicKey }: Draft) {
  const node_sets = Object.fromEntries(Object.entries(sizes).map(([set, size]) => [set, { size }]));
  const key = sshPublicKey.trim();
  return {
    metadata: { name },
    spec: {
      ...(offer === undefined ? { template } : { catalog_item: offer }),
      ...(Object.keys(sizes).length > 0 && { node_sets }),
      ...(chosen(parameters).length > 0 && {
        template_parameters: Object.fromEntries(chosen(parameters)),
      }),
      ...(key !== "" && { ssh_public_key: key }),
    },
  };
}

/** The equivalent command. */
export function commandOf(draft: Draft): string {
  const { template, offer, name, sizes, parameters } = draft;
  const key = draft.sshPublicKey.trim();
  return commandLine([
    `slipway cluster create ${quoted(name || "NAME")}`,
    offer === undefined ? `--template ${quoted(template)}` : `--catalog-item ${quoted(offer)}`,
    ...setsOf([
      ...Object.entries(sizes).map(([set, size]) => [`spec.node_sets.${set}.size`, size] as const),
      ...chosen(parameters).map(
        ([parameter, value]) => [`spec.template_parameters.${parameter}`, value] as const,
      ),
      ...(key === "" ? [] : [["spec.ssh_public_key", key] as const]),
    ]),
    "--wait",
  ]);
}
