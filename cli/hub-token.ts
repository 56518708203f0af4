import * as z from "zod";
import type { Api } from "./private-api.ts";

const capabilities = z.object({ authn: z.object({ trusted_token_issuers: z.array(z.string()) }) });
const discovery = z.object({ hub_token_endpoint: z.url().optional() });
const answer = z.object({ token: z.string() });

/**
 * A token for the hub's agent, if the API's issuer grants such tokens, as the laptop's does. Otherwise undefined:
 * the operator gets one from the issuer.
 */
export async function hubToken(
  hub: string,
  { url, token, fetch }: Api,
): Promise<string | undefined> {
  const read = async (address: string, init: RequestInit = {}): Promise<unknown> => {
    const response = await fetch(address, init);
    return response.ok ? response.json() : undefined;
  };
  const base = url.replace(/\/+$/, "");
  const trusted = capabilities.safeParse(await read(`${base}/api/fulfillment/v1/capabilities`));
  const [issuer] = trusted.data?.authn.trusted_token_issuers ?? [];
  if (issuer === undefined) return undefined;
  const known = discovery.safeParse(
    await read(`${issuer.replace(/\/+$/, "")}/.well-known/openid-configuration`),
  );
  const endpoint = known.data?.hub_token_endpoint;
  if (endpoint === undefined) return undefined;
  const minted = await read(endpoint, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify({ hub }),
  });
  return answer.safeParse(minted).data?.token;
}
