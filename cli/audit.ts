import * as z from "zod";
import { type AuditHead, auditHeadSchema } from "../core/kernel/audit/entry.ts";
import { type Call, provider } from "./call.ts";
import { type Exit, exits, wrongCall } from "./exit.ts";
import { fileText } from "./generic/body.ts";
import { jsonOf, visible } from "./output/unsafe.ts";
import { verifyAudit } from "./verify-audit.ts";

/**
 * `slipway audit verify`: finds entries of a tenant's audit that were changed, removed or inserted. Prints the ends of
 * its chains. Keep them elsewhere and give them to the next run, which then also finds an audit that was rebuilt as a
 * whole.
 */

export interface VerifyOptions {
  tenant: string;
  /** A file with what an earlier run has printed. */
  since?: string;
}

export async function verify(call: Call<VerifyOptions>): Promise<Exit> {
  const { around, options } = call;
  const { tenant, since } = options;
  const earlier = since === undefined ? [] : headsIn(since, fileText(around, since));
  const { entries, heads, faults } = await verifyAudit(tenant, provider(call), earlier);
  for (const { chain, position, fault } of faults)
    around.err.write(`${visible(`chain ${chain}, entry ${position}: ${fault}`)}\n`);
  around.err.write(`${entries} entries, ${faults.length} faults\n`);
  around.out.write(`${jsonOf(heads)}\n`);
  return faults.length === 0 ? exits.done : exits.refused;
}

/** Throws for a file that no run has printed. */
function headsIn(file: string, text: string): AuditHead[] {
  try {
    return z.array(auditHeadSchema).parse(JSON.parse(text));
  } catch {
    const hint = text.startsWith("\n>")
      ? ": npm's own lines are in it, which --silent keeps out"
      : "";
    throw wrongCall(`${file} is not what an earlier run printed${hint}`);
  }
}
