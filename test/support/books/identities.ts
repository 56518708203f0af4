import type { Check } from "./check.ts";
import { type Claim, wrongInClaims } from "./claims.ts";
import type { Table } from "./table.ts";

/** Which host or DPU is which server, by the names that controllers tell. */

const claimsIn = (table: Table, kind: "host" | "dpu"): Claim[] =>
  table.objects(kind).flatMap(({ id, identity }) =>
    (identity?.claims ?? []).map((pk) => ({
      holder: `${kind} ${id}`,
      item: { pk, sk: "-", [kind]: id },
    })),
  );

export const identities: Check = {
  of: ["identity", "identities-claimed"],
  wrong: ({ table }) =>
    wrongInClaims(table, ["identity"], [...claimsIn(table, "host"), ...claimsIn(table, "dpu")]),
};
