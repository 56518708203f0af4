import { hostFault } from "./address.ts";

/** Names of container images, by the grammar of the OCI distribution: `[registry/]path[:tag][@digest]`. */

const component = "(?:[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?)";
const host = `(?:${component}(?:\\.${component})*|\\[[0-9A-Fa-f:.]+\\])(?::[0-9]{1,5})?`;
const part = "[a-z0-9]+(?:(?:\\.|_|__|-+)[a-z0-9]+)*";
const tag = "[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}";
const digest = "sha256:[0-9a-f]{64}|sha384:[0-9a-f]{96}|sha512:[0-9a-f]{128}";
const reference = new RegExp(
  `^(?<name>(?:${host}/)?${part}(?:/${part})*)(?::${tag})?(?:@(?:${digest}))?$`,
);
/** The length limit of registries and clients. */
const nameLimit = 255;

/** Whether a text names a container image. */
export function isImageReference(text: string): boolean {
  const { name = "" } = reference.exec(text)?.groups ?? {};
  if (name === "" || name.length > nameLimit) return false;
  const registry = registryOf(text);
  return registry === undefined || isHost(`https://${registry}`);
}

/** The registry in a reference; undefined for a path without one, which means Docker Hub. */
export function registryOf(text: string): string | undefined {
  const [, first = ""] = /^([^/]+)\//.exec(text) ?? [];
  return /[.:]/.test(first) || first === "localhost" ? first : undefined;
}

/** Whether a URL has a host that means the same everywhere, and a valid port. */
function isHost(url: string): boolean {
  const parsed = URL.parse(url);
  return parsed !== null && parsed.port !== "0" && hostFault(url) === undefined;
}
