import { HubApi, type HubApiOptions } from "../../kubernetes/api.ts";
import {
  type Certificate,
  done,
  type GuestClient,
  type Ingress,
  type Manifest,
  type Observation,
  type OperatorRequest,
  type RbdStorage,
} from "../guest.ts";
import { ensureIngress, ensureIngressCertificate } from "./ingress.ts";
import { storageObjects } from "./objects.ts";
import { ensureOperator } from "./operators.ts";
import { tellAll } from "./told.ts";
import { observeNodes, observeOperators, observeVersion } from "./validation.ts";
import { ensureTestWorkload, removeTestWorkload } from "./workload.ts";

export type KubernetesGuestOptions = Pick<HubApiOptions, "connection" | "wall" | "fetch"> & {
  timeout?: number;
};

/** A hosted cluster behind its Kubernetes API. */
export class KubernetesGuest implements GuestClient {
  readonly #api: HubApi;

  constructor({ timeout = 10_000, ...options }: KubernetesGuestOptions) {
    this.#api = new HubApi({ ...options, timeout, system: "the hosted cluster" });
  }

  async ensureIngress(ingress: Ingress): Promise<Observation> {
    return ensureIngress(this.#api, ingress);
  }

  async ensureIngressCertificate(certificate: Certificate): Promise<Observation> {
    return ensureIngressCertificate(this.#api, certificate);
  }

  async ensureStorageClass(storage: RbdStorage): Promise<Observation> {
    const refused = await tellAll(storageObjects(storage), (object) => this.#api.apply(object));
    return refused ?? done;
  }

  async ensureOperator(operator: OperatorRequest): Promise<Observation> {
    return ensureOperator(this.#api, operator);
  }

  async ensureManifests(manifests: Manifest[]): Promise<Observation> {
    const refused = await tellAll(manifests, (object) => this.#api.applyStrictly(object));
    return refused ?? done;
  }

  async observeNodes(atLeast: number): Promise<Observation> {
    return observeNodes(this.#api, atLeast);
  }

  async observeOperators(): Promise<Observation> {
    return observeOperators(this.#api);
  }

  async observeVersion(version: string): Promise<Observation> {
    return observeVersion(this.#api, version);
  }

  async ensureTestWorkload(manifests: Manifest[]): Promise<Observation> {
    return ensureTestWorkload(this.#api, manifests);
  }

  async removeTestWorkload(): Promise<Observation> {
    return removeTestWorkload(this.#api);
  }

  /** Closes the connections. */
  async close(): Promise<void> {
    await this.#api.close();
  }
}
