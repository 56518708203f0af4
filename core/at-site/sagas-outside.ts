import type { MadeOutside } from "./made-outside.ts";

/** The sagas that make objects of a kind outside and take them away: others on a hub than at a site. */
export interface SagasOutside {
  create: string;
  delete: string;
  onHub?: { create: string; delete: string };
}

/** The sagas on an object, by where it is made. */
export const sagasOn = <AtSite, OnHub>(
  sagas: AtSite & { onHub?: OnHub },
  { hub }: Pick<MadeOutside, "hub">,
): AtSite | OnHub => (hub && sagas.onHub) ?? sagas;

/** Whether a saga takes objects away. */
export const deletes = (sagas: SagasOutside, saga: string): boolean =>
  saga === sagas.delete || saga === sagas.onHub?.delete;
