import * as z from "zod";
import { bearerIn } from "../functions/identity/bearer.ts";
import type { Principal } from "../functions/identity/principal.ts";
import type { Verify } from "../functions/identity/verify.ts";
import { hubTokenPath, type Issuer } from "./issuer.ts";
import { loginApp } from "./login/app.ts";

const requestSchema = z.object({ hub: z.string().min(1).max(253) });

/** The issuer with the login of people, and with tokens of hub agents for administrators. */
export function issuerWithHubTokens(
  issuer: Issuer,
  verify: Verify,
): (request: Request) => Promise<Response> {
  const login = loginApp(issuer);
  return async (request) => {
    const { pathname } = new URL(request.url);
    if (pathname !== hubTokenPath || request.method !== "POST") return login.fetch(request);
    const token = bearerIn(request.headers.get("authorization") ?? undefined);
    const caller = token && (await verify(token).catch(() => undefined));
    if (!caller || !isAdmin(caller))
      return Response.json({ error: "access_denied" }, { status: 403 });
    const wanted = requestSchema.safeParse(await request.json().catch(() => undefined));
    if (!wanted.success) return Response.json({ error: "invalid_request" }, { status: 400 });
    const { hub } = wanted.data;
    return Response.json({ token: await issuer.token({ sub: `hub:${hub}`, roles: ["agent"] }) });
  };
}

const isAdmin = ({ roles }: Principal): boolean => roles.includes("provider-admin");
