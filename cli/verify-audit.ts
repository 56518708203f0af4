import * as z from "zod";
import { AppError } from "../core/error.ts";
import { type AuditEntry, type AuditHead, auditHeadSchema } from "../core/kernel/audit/entry.ts";
import { type AuditFault, ChainVerifier } from "../core/kernel/audit/verify.ts";
import { type Api, call } from "./private-api.ts";

const pageSchema = z.object({
  // Not validated: the verifier must also see entries that were altered.
  items: z.array(z.looseObject({})),
  next_page_token: z.string().optional(),
  chains: z.array(auditHeadSchema),
});

/**
 * Reads a tenant's whole audit and finds entries that were changed, removed or inserted. `earlier`
 * are the ends of chains from an earlier run. Throws Rejected when the API does not answer.
 */
export async function verifyAudit(
  tenant: string,
  api: Api,
  earlier: AuditHead[] = [],
): Promise<{ entries: number; heads: AuditHead[]; faults: AuditFault[] }> {
  const { chains: heads } = await page(api, tenant, "limit=0");
  const faults: AuditFault[] = [];
  let entries = 0;
  for (const head of heads) {
    const verifier = new ChainVerifier(
      head.chain,
      earlier.find(({ chain }) => chain === head.chain),
    );
    for await (const entry of chainOf(api, tenant, head.chain)) {
      // The entry may have been added after the ends were read; the next run checks it.
      if (entry.position > head.position && !(await isBehind(api, tenant, entry))) break;
      verifier.add(entry);
      entries++;
    }
    verifier.end(head);
    faults.push(...verifier.faults);
  }
  return { entries, heads, faults };
}

/** Whether an entry lies beyond the present end of its chain. */
async function isBehind(api: Api, tenant: string, { chain, position }: AuditEntry) {
  const { chains } = await page(api, tenant, "limit=0");
  return position > (chains.find((head) => head.chain === chain)?.position ?? 0);
}

async function* chainOf(api: Api, tenant: string, chain: number): AsyncGenerator<AuditEntry> {
  let token = "";
  do {
    const { items, next_page_token } = await page(
      api,
      tenant,
      `chain=${chain}&limit=1000&page_token=${encodeURIComponent(token)}`,
    );
    // Not validated, so that the verifier also sees altered entries.
    yield* items as unknown as AuditEntry[];
    token = next_page_token ?? "";
  } while (token !== "");
}

async function page(api: Api, tenant: string, query: string) {
  const path = `audit_entries?tenant=${encodeURIComponent(tenant)}&${query}`;
  const response = await call(api, "GET", path);
  if (!response.ok)
    throw new AppError("Rejected", `the API answers ${response.status}: ${await response.text()}`);
  return pageSchema.parse(await response.json());
}
