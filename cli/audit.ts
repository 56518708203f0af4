import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import * as z from "zod";
import { auditHeadSchema } from "../core/audit/entry.ts";
import { AppError } from "../core/error.ts";
import { verifyAudit } from "./verify-audit.ts";

/**
 * `npm run audit -- verify …`: finds entries of a tenant's audit that were changed, removed or put
 * in. Prints the ends of its chains on standard output, to be kept elsewhere and given to the next
 * run, so that not even an audit made anew as a whole would pass; everything else goes to standard
 * error. Exits 0 when the audit is whole, 1 when it is not, 2 when the call is wrong.
 */

const usage = `usage: npm run audit -- verify --tenant NAME [--since FILE] [--url URL] [--token TOKEN]
  since: what an earlier run printed
  URL and TOKEN (an administrator's) may come from SLIPWAY_API and SLIPWAY_TOKEN`;

const text = { type: "string" } as const;

try {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { tenant: text, since: text, url: text, token: text },
  });
  const url = values.url ?? process.env.SLIPWAY_API;
  const token = values.token ?? process.env.SLIPWAY_TOKEN;
  const isVerify = positionals.length === 1 && positionals[0] === "verify";
  if (!isVerify || !values.tenant || !url || !token) throw new TypeError(usage);
  const earlier =
    values.since === undefined
      ? []
      : z.array(auditHeadSchema).parse(JSON.parse(readFileSync(values.since, "utf8")));

  const api = { url, token, fetch };
  const { entries, heads, faults } = await verifyAudit(values.tenant, api, earlier);
  for (const { chain, position, fault } of faults)
    console.error(`chain ${chain}, entry ${position}: ${fault}`);
  console.error(`${entries} entries, ${faults.length} faults`);
  process.stdout.write(`${JSON.stringify(heads)}\n`);
  process.exitCode = faults.length === 0 ? 0 : 1;
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = error instanceof AppError ? 1 : 2;
}
