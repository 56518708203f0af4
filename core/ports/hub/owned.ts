import { AppError } from "../../error.ts";
import type { HubApi, Selection } from "../kubernetes/api.ts";
import type { CustomKind, KubeObject } from "../kubernetes/kube-object.ts";
import { codeOf } from "../kubernetes/refusal.ts";
import { type OwnershipTag, ownerLabel } from "../owner.ts";
import type { OwnedObject } from "./hub.ts";

/** A kind of objects that an adapter creates on a hub with their owner's label. */
export interface OwnedKind extends CustomKind {
  /** The namespace of the objects; all namespaces if absent. */
  namespace?: string;
  /**
   * Whether an object without a label counts as its namespace owner's, whoever created it: the namespace must
   * not be deleted while the object exists.
   */
  byNamespace?: true;
}

/** Lists the namespaces that carry the label of an owner of these kinds. */
export const ownedNamespaces = (
  api: HubApi,
  ownerKinds: readonly string[],
): Promise<OwnedObject[]> =>
  labelled(ownerKinds, "Namespace", (labelSelector) =>
    api.listAll("v1", "Namespace", { labelSelector }),
  );

/**
 * Lists the objects of some kinds that belong to owners of these kinds. `namespaces` are the owners'
 * namespaces.
 */
export async function ownedObjects(
  api: HubApi,
  ownerKinds: readonly string[],
  kinds: readonly OwnedKind[],
  namespaces: readonly OwnedObject[],
): Promise<OwnedObject[]> {
  const owners = new Map(namespaces.map(({ name, owner }) => [name, owner]));
  const ofKind = async ({ namespace, byNamespace, ...kind }: OwnedKind) => {
    const within = namespace === undefined ? {} : { namespace };
    if (!byNamespace)
      return labelled(ownerKinds, kind.kind, (labelSelector) =>
        listed(api, kind, { ...within, labelSelector }),
      );
    return (await listed(api, kind, within)).flatMap((object) => {
      const owner = ownerOf(object, ownerKinds) ?? owners.get(object.metadata.namespace ?? "");
      return owner ? [ownedObject(kind.kind, object, owner)] : [];
    });
  };
  const found: OwnedObject[] = [];
  for (const kind of kinds) found.push(...(await ofKind(kind)));
  return found;
}

/** Lists by each owner kind's label. An object with several of these labels counts once. */
async function labelled(
  ownerKinds: readonly string[],
  kind: string,
  list: (labelSelector: string) => Promise<KubeObject[]>,
): Promise<OwnedObject[]> {
  const found = new Map<string, OwnedObject>();
  for (const ownerKind of ownerKinds)
    for (const object of await list(ownerLabel(ownerKind))) {
      const { uid } = object.metadata;
      const owner = ownerOf(object, ownerKinds);
      if (owner && !found.has(uid)) found.set(uid, ownedObject(kind, object, owner));
    }
  return [...found.values()];
}

function ownerOf(
  { metadata: { labels = {} } }: KubeObject,
  ownerKinds: readonly string[],
): OwnershipTag | undefined {
  for (const kind of ownerKinds) {
    const id = labels[ownerLabel(kind)];
    if (id !== undefined) return { kind, id };
  }
  return undefined;
}

const ownedObject = (
  kind: string,
  { metadata: { name, namespace } }: KubeObject,
  owner: OwnershipTag,
): OwnedObject => ({ kind, name, ...(namespace !== undefined && { namespace }), owner });

/** The objects of a kind; empty if the kind is not served. */
async function listed(api: HubApi, kind: CustomKind, selection: Selection): Promise<KubeObject[]> {
  try {
    return (await api.list(kind, selection)).items;
  } catch (error) {
    if (error instanceof AppError && codeOf(error.cause) === 404) return [];
    throw error;
  }
}
