import * as z from "zod";
import { principalOf } from "../functions/api/principal.ts";
import { tokenCheck } from "./gateway.ts";
import { hubTokenPath, type Issuer } from "./issuer.ts";

const wish = z.object({ hub: z.string().min(1).max(253) });

/** The issuer, which also hands administrators the tokens of hub agents. */
export function issuerWithHubTokens(issuer: Issuer): (request: Request) => Promise<Response> {
  const check = tokenCheck(issuer);
  return async (request) => {
    const { pathname } = new URL(request.url);
    if (pathname !== hubTokenPath || request.method !== "POST") return issuer.fetch(request);
    const claims = await check(request);
    const isAdmin = claims && principalOf(claims)?.roles.includes("provider-admin");
    if (!isAdmin) return Response.json({ error: "access_denied" }, { status: 403 });
    const wanted = wish.safeParse(await request.json().catch(() => undefined));
    if (!wanted.success) return Response.json({ error: "invalid_request" }, { status: 400 });
    const { hub } = wanted.data;
    return Response.json({ token: await issuer.token({ sub: `hub:${hub}`, roles: ["agent"] }) });
  };
}
