import * as z from "zod";
import type { RedfishApi } from "./api.ts";
import { reference } from "./link.ts";

/** An action: its target, with its parameters or the link to them. */
export const actionSchema = z.looseObject({
  target: reference,
  "@Redfish.ActionInfo": reference.optional(),
});
export type RedfishAction = z.infer<typeof actionSchema>;

const infoSchema = z.object({
  Parameters: z.array(
    z.looseObject({ Name: z.string(), AllowableValues: z.array(z.string()).nullish() }),
  ),
});
const annotation = "@Redfish.AllowableValues";

/**
 * The parameters of an action, from its annotations or its ActionInfo, each with the permitted values;
 * without values if the controller does not list them.
 */
export async function actionParametersOf(
  api: RedfishApi,
  action: RedfishAction,
): Promise<ReadonlyMap<string, string[] | undefined>> {
  const annotated = Object.entries(action).flatMap(([name, value]): [string, string[]][] => {
    const values = z.array(z.string()).safeParse(value).data;
    return values && name.endsWith(annotation) ? [[name.slice(0, -annotation.length), values]] : [];
  });
  const info = action["@Redfish.ActionInfo"];
  if (annotated.length > 0 || info === undefined) return new Map(annotated);
  const { Parameters } = await api.read(info, infoSchema);
  return new Map(
    Parameters.map(({ Name, AllowableValues }) => [Name, AllowableValues ?? undefined]),
  );
}
