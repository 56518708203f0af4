import { type Ahead, placeOf } from "../../resources/cluster/ahead.ts";
import type { Json } from "../input/shape.ts";
import { nameKey, projectNameKey } from "../object/keys.ts";
import { sharedTenant } from "../object/metadata.ts";
import type { Kind } from "../object/object.ts";
import type { Definition, WireInput } from "./definition.ts";

/** Of a new object that a caller of this tenant makes: its project must be there, and its name free. */
export function objectAhead<K extends Kind, Input extends WireInput>(
  definition: Pick<Definition<K, Input>, "kind" | "tenant">,
  caller: string,
  body: Json,
): Ahead {
  const { tenant: said, project = "", name } = placeOf(body);
  const whose = { caller, shared: sharedTenant, itself: name ?? caller }[definition.tenant];
  const tenant = said || whose;
  return {
    tenant,
    keys: [
      ...(project === "" ? [] : [projectNameKey(tenant, project)]),
      ...(name === undefined ? [] : [nameKey(definition.kind, tenant, project, name)]),
    ],
  };
}
