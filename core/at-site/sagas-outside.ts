import type { MadeOutside } from "./made-outside.ts";

/** The sagas that create and delete objects of a kind outside; those on a hub differ from those at a site. */
export interface SagasOutside {
  create: string;
  delete: string;
  onHub?: { create: string; delete: string };
}

/** The sagas of an object, by its place. */
export const sagasOn = <AtSite, OnHub>(
  sagas: AtSite & { onHub?: OnHub },
  { hub }: Pick<MadeOutside, "hub">,
): AtSite | OnHub => (hub && sagas.onHub) ?? sagas;

/** Whether a saga deletes objects. */
export const deletes = (sagas: SagasOutside, saga: string): boolean =>
  saga === sagas.delete || saga === sagas.onHub?.delete;
