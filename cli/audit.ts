import { readFileSync } from "node:fs";
import * as z from "zod";
import { type AuditHead, auditHeadSchema } from "../core/kernel/audit/entry.ts";
import { command, WrongCall } from "./command.ts";
import { endpointUsage } from "./endpoint.ts";
import { verifyAudit } from "./verify-audit.ts";

/**
 * `npm run audit -- verify …`: finds entries of a tenant's audit that were changed, removed or
 * inserted. Prints the ends of its chains on standard output. Keep them elsewhere and give them to
 * the next run, which then also finds an audit that was rebuilt as a whole.
 */

const usage = `usage: npm run --silent audit -- verify --tenant NAME [--since FILE] [--url URL] [--token TOKEN]
  since: what an earlier run printed
${endpointUsage}`;

await command(usage, ["tenant", "since"], async ({ words, options, api }) => {
  const { tenant, since } = options;
  if (words.join(" ") !== "verify" || !tenant)
    throw new WrongCall("verify --tenant NAME is needed");
  const earlier = since === undefined ? [] : headsIn(since);
  const { entries, heads, faults } = await verifyAudit(tenant, api(), earlier);
  for (const { chain, position, fault } of faults)
    console.error(`chain ${chain}, entry ${position}: ${fault}`);
  console.error(`${entries} entries, ${faults.length} faults`);
  process.stdout.write(`${JSON.stringify(heads)}\n`);
  return faults.length === 0;
});

/** Throws WrongCall for a file that no run has printed. */
function headsIn(file: string): AuditHead[] {
  const text = readFileSync(file, "utf8");
  try {
    return z.array(auditHeadSchema).parse(JSON.parse(text));
  } catch {
    const hint = text.startsWith("\n>")
      ? ": npm's own lines are in it, which --silent keeps out"
      : "";
    throw new WrongCall(`${file} is not what an earlier run printed${hint}`);
  }
}
