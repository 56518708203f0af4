import type { ClusterCatalogItem, ClusterTemplate } from "../generated/answers.ts";

/** An order that is being written. */
export interface Draft {
  template: string;
  offer: string | undefined;
  name: string;
  /** The sizes of node sets that were chosen. */
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

const chosen = (parameters: Draft["parameters"]): [string, unknown][] =>
  Object.entries(parameters).filter(([, value]) => value !== undefined);

/** The order as the API takes it: what was not chosen is left to the template. */
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

const quoted = (text: string): string =>
  /^[\w./:=@-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;

/** The command line that orders the same. */
export function commandOf({
  template,
  offer,
  name,
  sizes,
  parameters,
  sshPublicKey,
}: Draft): string {
  const sets = [
    ...Object.entries(sizes).map(([set, size]) => `spec.node_sets.${set}.size=${size}`),
    ...chosen(parameters).map(
      ([parameter, value]) =>
        `spec.template_parameters.${parameter}=${typeof value === "string" ? value : JSON.stringify(value)}`,
    ),
    ...(sshPublicKey.trim() === "" ? [] : [`spec.ssh_public_key=${sshPublicKey.trim()}`]),
  ];
  return [
    `slipway cluster create ${quoted(name || "NAME")}`,
    offer === undefined ? `--template ${quoted(template)}` : `--catalog-item ${quoted(offer)}`,
    ...sets.map((each) => `--set ${quoted(each)}`),
    "--wait",
  ].join(" \\\n  ");
}
