import type { ApiEndpoint } from "./endpoint.ts";

/** Slipway's private API, for commands. */
export interface Api extends ApiEndpoint {
  fetch: (url: string, init: RequestInit) => Promise<Response>;
}

/** Calls `path` below the private API. */
export function call(
  { url, token, fetch }: Api,
  method: string,
  path: string,
  body?: object,
): Promise<Response> {
  return fetch(`${url.replace(/\/+$/, "")}/api/private/v1/${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}
