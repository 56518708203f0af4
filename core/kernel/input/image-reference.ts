/** Names of container images, by the grammar of the OCI distribution: `[registry/]path[:tag][@digest]`. */

const component = "(?:[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?)";
const host = `(?:${component}(?:\\.${component})*|\\[[0-9A-Fa-f:.]+\\])(?::[0-9]{1,5})?`;
const part = "[a-z0-9]+(?:(?:\\.|_|__|-+)[a-z0-9]+)*";
const tag = "[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}";
const digest = "sha256:[0-9a-f]{64}|sha384:[0-9a-f]{96}|sha512:[0-9a-f]{128}";
const reference = new RegExp(
  `^(?<name>(?:${host}/)?${part}(?:/${part})*)(?::${tag})?(?:@(?:${digest}))?$`,
);
/** As registries and clients have it. */
const nameLimit = 255;

/** Whether a text names a container image. */
export function isImageReference(text: string): boolean {
  const { name = "" } = reference.exec(text)?.groups ?? {};
  return name !== "" && name.length <= nameLimit;
}
