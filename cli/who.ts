import type * as z from "zod";
import type { holdingSchema } from "../core/reconcile/owners/schema.ts";
import { type CliCall, connect } from "./call.ts";
import type { Column } from "./output/columns.ts";
import { formIn, print } from "./output/print.ts";
import { at, list, shown } from "./output/values.ts";

/** `slipway who vlan 107`: who has a number, an address, a name or a host. */

type Holding = z.output<typeof holdingSchema>;

interface WhoOptions {
  output?: string;
  site?: string;
  network?: string;
}

export async function who(call: CliCall<WhoOptions>): Promise<undefined> {
  const { around, options, words } = call;
  const form = formIn(options.output);
  const [kind, value] = words;
  const { site, network } = options;
  const { body } = await connect(call).client.get("/api/private/v1/owners", {
    kind,
    value,
    site,
    network,
  });
  const items = list(at(body, "items"));
  if (items.length === 0) around.err.write(`no site or pool has ${kind} ${value}\n`);
  await print(around, body, { form, columns: holdingColumns(form === "wide") });
  return undefined;
}

/** A column for rows of the API's schema. */
const column = (head: string, cell: (holding: Holding) => string | undefined): Column => ({
  head,
  cell: (holding) => shown(cell(holding as Holding)),
});

export const holdingColumns = (isWide: boolean): Column[] => [
  column("WHAT", ({ kind, value }) => `${kind} ${value}`),
  column("AT", ({ site, pool, subnet }) => [site, pool, subnet].filter((each) => each).join(" ")),
  column("STATE", ({ state }) => state),
  column(
    "OWNER",
    ({ owner }) =>
      owner &&
      [owner.tenant, owner.project, owner.name ?? owner.id].filter((each) => each).join("/"),
  ),
  column("KIND", ({ owner }) => owner?.kind),
  column("IS", ({ owner }) => owner?.state),
  column("SINCE", ({ since }) => since),
  column("OPERATION", ({ owner }) => owner?.operation),
  ...(isWide ? [column("ID", ({ owner }) => owner?.id), column("HOST", ({ host }) => host)] : []),
  column("WHY", ({ message }) => message),
];
