import { HubApi, type HubApiOptions } from "../../kubernetes/api.ts";
import {
  type Certificate,
  type GuestClient,
  type GuestObservation,
  guestDone,
  type Ingress,
  type Manifest,
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

  async ensureIngress(ingress: Ingress): Promise<GuestObservation> {
    return ensureIngress(this.#api, ingress);
  }

  async ensureIngressCertificate(certificate: Certificate): Promise<GuestObservation> {
    return ensureIngressCertificate(this.#api, certificate);
  }

  async ensureStorageClass(storage: RbdStorage): Promise<GuestObservation> {
    const refused = await tellAll(storageObjects(storage), (object) => this.#api.apply(object));
    return refused ?? guestDone;
  }

  async ensureOperator(operator: OperatorRequest): Promise<GuestObservation> {
    return ensureOperator(this.#api, operator);
  }

  async ensureManifests(manifests: Manifest[]): Promise<GuestObservation> {
    const refused = await tellAll(manifests, (object) => this.#api.applyStrictly(object));
    return refused ?? guestDone;
  }

  async observeNodes(atLeast: number): Promise<GuestObservation> {
    return observeNodes(this.#api, atLeast);
  }

  async observeOperators(): Promise<GuestObservation> {
    return observeOperators(this.#api);
  }

  async observeVersion(version: string): Promise<GuestObservation> {
    return observeVersion(this.#api, version);
  }

  async ensureTestWorkload(manifests: Manifest[]): Promise<GuestObservation> {
    return ensureTestWorkload(this.#api, manifests);
  }

  async removeTestWorkload(): Promise<GuestObservation> {
    return removeTestWorkload(this.#api);
  }

  async close(): Promise<void> {
    await this.#api.close();
  }
}
