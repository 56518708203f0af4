import * as z from "zod";
import { type AuditHead, auditHeadSchema } from "../core/kernel/audit/entry.ts";
import { type CliCall, provider } from "./call.ts";
import { type Exit, exits, wrongCall } from "./exit.ts";
import { fileText } from "./generic/body.ts";
import { jsonOf, visible } from "./output/unsafe.ts";
import { verifyAudit } from "./verify-audit.ts";

/**
 * `slipway audit verify`: finds entries of a tenant's audit that were changed, removed or inserted.
 * Prints the ends of its chains. A later run that receives these ends also detects an audit that
 * was truncated or rebuilt as a whole. Lines of Slipway's log can replace the ends.
 */

export interface VerifyOptions {
  tenant: string;
  /** A file with the output of an earlier run, or with lines of the log. */
  since?: string;
}

export async function verify(call: CliCall<VerifyOptions>): Promise<Exit> {
  const { around, options } = call;
  const { tenant, since } = options;
  const earlier = since === undefined ? [] : headsIn(since, fileText(around, since), tenant);
  const { entries, heads, faults } = await verifyAudit(tenant, provider(call), earlier);
  for (const { chain, position, fault } of faults)
    around.err.write(`${visible(`chain ${chain}, entry ${position}: ${fault}`)}\n`);
  around.err.write(`${entries} entries, ${faults.length} faults\n`);
  around.out.write(`${jsonOf(heads)}\n`);
  return faults.length === 0 ? exits.done : exits.refused;
}

/**
 * The chains' ends in a file. Throws for a file that is neither output of a run nor a log with lines about the
 * tenant's audit.
 */
function headsIn(file: string, text: string, tenant: string): AuditHead[] {
  try {
    return z.array(auditHeadSchema).parse(JSON.parse(text));
  } catch {
    const heads = headsInLog(text, tenant);
    if (heads.length > 0) return heads;
    const hint = text.startsWith("\n>")
      ? ": npm's own lines are in it, which --silent keeps out"
      : "";
    throw wrongCall(
      `${file} is not what an earlier run printed, and has no line of the log about the audit of ${tenant}${hint}`,
    );
  }
}

const lineSchema = z.object({ audit: auditHeadSchema.extend({ tenant: z.string() }) });

/** The last end of each chain of a tenant, from lines of the log in any order. */
function headsInLog(text: string, tenant: string): AuditHead[] {
  const last = new Map<number, AuditHead>();
  for (const line of text.split("\n")) {
    const audit = lineIn(line);
    if (audit?.tenant !== tenant) continue;
    const { tenant: _, ...head } = audit;
    if (head.position > (last.get(head.chain)?.position ?? 0)) last.set(head.chain, head);
  }
  return [...last.values()];
}

/** The chain's end in a line of the log; undefined for any other line. */
function lineIn(line: string) {
  try {
    return lineSchema.parse(JSON.parse(line)).audit;
  } catch {
    return undefined;
  }
}
