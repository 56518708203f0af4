import { apiVersionOf, type ResourceKind, resourceName } from "./object.ts";
import { badRequest, noSuchResource } from "./status.ts";

/** The kinds that a cluster serves, by the names in callers, paths and stored rows. */
export class KindRegistry {
  readonly all: readonly ResourceKind[];
  readonly #byKind: Map<string, ResourceKind>;
  readonly #byResource: Map<string, ResourceKind>;
  /** The versions of each named group, in registration order. */
  readonly groups: readonly { group: string; version: string }[];

  constructor(kinds: readonly ResourceKind[]) {
    this.all = kinds;
    // Where groups share a Kind, the first one registered has the bare name.
    this.#byKind = new Map(
      kinds.toReversed().flatMap((kind) => [
        [kind.kind, kind],
        [`${kind.kind}.${kind.group}`, kind],
      ]),
    );
    this.#byResource = new Map(kinds.map((kind) => [resourceName(kind), kind]));
    const versions = new Map(kinds.map((kind) => [apiVersionOf(kind), kind]));
    this.groups = Array.from(versions.values(), ({ group, version }) => ({ group, version }));
  }

  /** The kind of a name, `Kind` or `Kind.group`. Throws when it is not served. */
  named(name: string): ResourceKind {
    const kind = this.#byKind.get(name);
    if (!kind) throw new Error(`this cluster does not serve the kind ${name}`);
    return kind;
  }

  /** The kind of an object, by its apiVersion and kind. Throws 400 when it is not served. */
  of(object: { apiVersion: string; kind: string }): ResourceKind {
    const kind = this.find(object.apiVersion, object.kind);
    if (!kind) {
      throw badRequest(
        `no kind "${object.kind}" is registered for version "${object.apiVersion}" in scheme`,
      );
    }
    return kind;
  }

  find(apiVersion: string, name: string): ResourceKind | undefined {
    return this.all.find((kind) => kind.kind === name && apiVersionOf(kind) === apiVersion);
  }

  /** The kind of a `resourceName`. */
  resource(name: string): ResourceKind | undefined {
    return this.#byResource.get(name);
  }

  /** The kind behind a path. Throws 404 when there is none. */
  at(group: string, version: string, plural: string): ResourceKind {
    const kind = this.#byResource.get(resourceName({ group, plural }));
    if (kind?.version !== version) throw noSuchResource();
    return kind;
  }
}
