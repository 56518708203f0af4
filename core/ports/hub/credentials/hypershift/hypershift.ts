import * as z from "zod";
import { type Clock, seconds } from "../../../../clock.ts";
import type { HubApi } from "../../../kubernetes/api.ts";
import { endingAt } from "../../../kubernetes/time-left.ts";
import type { Owner } from "../../../owner.ts";
import { hostedClusterNamed, namespaceOf, secretNamed } from "../../clusters/hypershift/named.ts";
import type {
  ClusterCredentials,
  CredentialRequest,
  Credentials,
  Issuance,
  Revocation,
} from "../port.ts";
import { issueCredential, listCredentials, revokeCredentials } from "./break-glass.ts";

const referenceSchema = z.object({ name: z.string() });
const dataSchema = z.record(z.string(), z.string());

/**
 * The time limit of a call, in milliseconds of real time: the API gives up soon after. If the hub
 * stores the result later, a repeated request finds it.
 */
const longestCall = seconds(20);

/**
 * Credentials of HyperShift's hosted clusters: the kubeconfig and password that HyperShift stores, and
 * short-lived certificates.
 */
export class HypershiftCredentials implements ClusterCredentials {
  readonly #api: HubApi;
  readonly #wall: Clock;

  constructor(api: HubApi, wall: Clock) {
    this.#api = api;
    this.#wall = wall;
  }

  async readKubeconfig(owner: Owner): Promise<string | undefined> {
    return this.#secretOf(owner, "kubeconfig", "kubeconfig");
  }

  async readPassword(owner: Owner): Promise<string | undefined> {
    return this.#secretOf(owner, "kubeadminPassword", "password");
  }

  async issueCredential(owner: Owner, request: CredentialRequest): Promise<Issuance> {
    return this.#inTime(async (end) => {
      const kubeconfig = await this.readKubeconfig(owner);
      if (kubeconfig === undefined) return { outcome: "not-ready" };
      return issueCredential({ api: this.#api, wall: this.#wall, end }, owner, request, kubeconfig);
    });
  }

  async listCredentials(owner: Owner): Promise<Credentials> {
    return this.#inTime(() => listCredentials(this.#api, owner));
  }

  async revokeCredentials(owner: Owner): Promise<Revocation> {
    return this.#inTime(() => revokeCredentials(this.#api, owner));
  }

  #inTime<T>(call: (end: number) => Promise<T>): Promise<T> {
    const end = this.#wall.now() + longestCall;
    return endingAt(end, () => call(end));
  }

  /** One key of the Secret that the HostedCluster's status names; undefined until it names one. */
  async #secretOf(owner: Owner, member: string, key: string): Promise<string | undefined> {
    const hostedCluster = await this.#api.read(hostedClusterNamed(owner));
    const { data: reference } = referenceSchema.safeParse(hostedCluster?.status?.[member]);
    if (!reference) return undefined;
    const secret = await this.#api.read(secretNamed(reference.name, namespaceOf(owner)));
    const { data } = dataSchema.safeParse(secret?.data);
    const value = data?.[key];
    return value === undefined ? undefined : Buffer.from(value, "base64").toString();
  }
}
