import * as z from "zod";
import type { Clock } from "../../../../clock.ts";
import type { HubApi } from "../../../kubernetes/api.ts";
import { hostedClusterNamed, secretNamed } from "../../clusters/hypershift/named.ts";
import type { Names } from "../../clusters/port.ts";
import type {
  ClusterCredentials,
  CredentialRequest,
  Credentials,
  Issuance,
  Revocation,
} from "../port.ts";
import { issueCredential, listCredentials, revokeCredentials } from "./break-glass.ts";

/** Credentials of HyperShift's hosted clusters: those it keeps beside them, and short-lived certificates. */
export class HypershiftCredentials implements ClusterCredentials {
  readonly #api: HubApi;
  readonly #wall: Clock;

  constructor(api: HubApi, wall: Clock) {
    this.#api = api;
    this.#wall = wall;
  }

  async readKubeconfig(names: Names): Promise<string | undefined> {
    return this.#secretOf(names, "kubeconfig", "kubeconfig");
  }

  async readPassword(names: Names): Promise<string | undefined> {
    return this.#secretOf(names, "kubeadminPassword", "password");
  }

  async issueCredential(names: Names, request: CredentialRequest): Promise<Issuance> {
    const kubeconfig = await this.readKubeconfig(names);
    if (kubeconfig === undefined) return { outcome: "not-ready" };
    return issueCredential({ api: this.#api, wall: this.#wall }, names, request, kubeconfig);
  }

  async listCredentials(names: Names): Promise<Credentials> {
    return listCredentials(this.#api, names);
  }

  async revokeCredentials(names: Names, tenant: string): Promise<Revocation> {
    return revokeCredentials(this.#api, names, tenant);
  }

  /**
   * One key of the Secret that the HostedCluster's status names; undefined until the status names
   * one.
   */
  async #secretOf(names: Names, member: string, key: string): Promise<string | undefined> {
    const hostedCluster = await this.#api.read(hostedClusterNamed(names));
    const { data: reference } = z
      .object({ name: z.string() })
      .safeParse(hostedCluster?.status?.[member]);
    if (!reference) return undefined;
    const secret = await this.#api.read(secretNamed(reference.name, names.namespace));
    const { data } = z.record(z.string(), z.string()).safeParse(secret?.data);
    const value = data?.[key];
    return value === undefined ? undefined : Buffer.from(value, "base64").toString();
  }
}
