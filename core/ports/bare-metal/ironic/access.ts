import { basicAuthorization, type HttpCredential } from "../../../http.ts";
import type { Keystone } from "../../openstack/keystone.ts";
import type { Access, IronicApiOptions } from "./api.ts";

/**
 * The authentication of Ironic's requests: Keystone tokens, or a standalone service's own HTTP
 * authentication.
 */
type Accesses = Pick<IronicApiOptions, "access" | "renew">;

export function byKeystone(keystone: Keystone): Accesses {
  const header = "x-auth-token";
  return {
    async access(): Promise<Access> {
      const { token, endpoint } = await keystone.session();
      return { endpoint, headers: { [header]: token } };
    },
    renew: ({ headers }) => keystone.forget(headers[header] ?? ""),
  };
}

/**
 * `url` has no slash at the end. Without a credential, requests carry none: such a service permits every
 * client that reaches it.
 */
export const standalone = (url: string, credential?: () => Promise<HttpCredential>): Accesses => ({
  async access(): Promise<Access> {
    if (!credential) return { endpoint: url, headers: {} };
    const authorization = basicAuthorization(await credential());
    return { endpoint: url, headers: { authorization } };
  },
});
