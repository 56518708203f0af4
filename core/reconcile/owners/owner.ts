import type { SiteRecord } from "../../at-site/at-site.ts";
import { archiveKey, objectKey } from "../../kernel/object/keys.ts";
import { isKindIn } from "../../kernel/object/kind.ts";
import type { Kind } from "../../kernel/object/object.ts";
import type { ObjectOf } from "../../kernel/object/object-of.ts";
import { objectIn, type Records } from "../../kernel/object/records.ts";
import type { Holding } from "./schema.ts";

/** The owner of something, for people to read. */

export type Owner = NonNullable<Holding["owner"]>;

/** An owner in the form of a claim. */
export interface Claimant {
  kind: string;
  id: string;
}

export interface Known {
  owner: Owner;
  /** The record, unless it was deleted for good. */
  object?: ObjectOf[Kind];
}

/** Reads an owner; a deleted one is read from the archive. */
export async function knownOwner(
  { store, kinds }: Records,
  { kind, id }: Claimant,
): Promise<Known> {
  if (!isKindIn(kinds, kind)) return { owner: { kind, id } };
  const [live, gone] = await store.getMany([objectKey(kind, id), archiveKey(kind, id)]);
  const item = live ?? gone;
  if (!item) return { owner: { kind, id } };
  const object = objectIn<Kind>(kinds, item);
  const { name, tenant, project } = object.metadata;
  const state = "state" in object.status ? object.status.state : undefined;
  const operation = "operation" in object ? object.operation : undefined;
  return {
    owner: {
      ...{ kind, id, name, tenant },
      ...(project === undefined ? {} : { project }),
      ...(live && state !== undefined ? { state: String(state) } : {}),
      ...(live && operation !== undefined ? { operation } : {}),
    },
    ...(live && { object }),
  };
}

/** The parts of an object at its site, for kinds with such parts. */
export function siteRecordOf(object: ObjectOf[Kind] | undefined): SiteRecord | undefined {
  return object && "infra_id" in object && "site" in object ? object.site : undefined;
}

/** An owner in words. */
export const inWords = ({ kind, id, name, tenant, project }: Owner): string =>
  name === undefined
    ? `${words(kind)} ${id}, which is not there any more`
    : `${words(kind)} ${[tenant, project, name].filter((part) => part !== undefined).join("/")}`;

const words = (kind: string): string => kind.replaceAll("_", " ");
