import type { Known, Raw } from "../../compare.ts";

/** Requests of Neutron. What a name stands for, earlier answers have given. */

export const nobody = "00000000-0000-0000-0000-000000000000";
const singular = (collection: string) => collection.replaceAll("-", "_").replace(/s$/, "");

export const post =
  (collection: string, body: object | ((known: Known) => object)) =>
  (known: Known): Raw => ({
    method: "POST",
    path: `/v2.0/${collection}`,
    body: { [singular(collection)]: typeof body === "function" ? body(known) : body },
  });
export const put =
  (collection: string, name: string, body: object, headers?: Record<string, string>) =>
  (known: Known): Raw => ({
    method: "PUT",
    path: `/v2.0/${collection}/${known[name] ?? name}`,
    body: { [singular(collection)]: body },
    ...(headers && { headers }),
  });
export const remove = (collection: string, name: string) => (known: Known) => ({
  method: "DELETE",
  path: `/v2.0/${collection}/${known[name] ?? name}`,
});
export const read = (path: string) => ({ method: "GET", path: `/v2.0/${path}` });
export const interfaces =
  (action: string, name: string, body: (known: Known) => object) => (known: Known) => ({
    method: "PUT",
    path: `/v2.0/routers/${known[name] ?? name}/${action}_router_interface`,
    body: body(known),
  });
