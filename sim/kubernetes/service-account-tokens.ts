import type { User } from "./authorization.ts";
import type { KubeCluster } from "./cluster.ts";
import type { KubeObject } from "./object.ts";
import { serviceAccount } from "./rbac.ts";

interface TokenSecret extends KubeObject {
  type?: string;
  data?: Record<string, string>;
}

const ofType = "kubernetes.io/service-account-token";
const accountName = "kubernetes.io/service-account.name";

/** Kubernetes' controller of long-lived tokens: writes one into each Secret that requests it. */
export class ServiceAccountTokens {
  readonly #cluster: KubeCluster;
  readonly #random: () => number;
  readonly #users = new Map<string, User>();
  #unwatch: (() => void) | undefined;

  constructor(cluster: KubeCluster, random: () => number) {
    this.#cluster = cluster;
    this.#random = random;
  }

  start(): void {
    this.#unwatch = this.#cluster.watch("Secret", ({ type, object }) => {
      if (type !== "DELETED") this.#learn(object);
      else this.#users.delete(this.#tokenIn(object) ?? "");
    });
    for (const secret of this.#cluster.list("Secret")) this.#learn(secret);
  }

  stop(): void {
    this.#unwatch?.();
  }

  /** The user of a token. */
  userOf(token: string): User | undefined {
    return this.#users.get(token);
  }

  /** The token in a Secret. */
  token(namespace: string, name: string): string | undefined {
    const secret = this.#cluster.get("Secret", namespace, name);
    return secret && this.#tokenIn(secret);
  }

  #learn(object: KubeObject): void {
    const { namespace = "", name, annotations } = object.metadata;
    const account = annotations?.[accountName];
    // Safe: the schema of their kind has validated stored Secrets.
    const { type, data } = object as TokenSecret;
    if (type !== ofType || account === undefined) return;
    const token = this.#tokenIn(object);
    if (token !== undefined) {
      this.#users.set(token, serviceAccount(namespace, account));
    } else if (this.#cluster.get("ServiceAccount", namespace, account)) {
      const made = Buffer.from(this.#newToken()).toString("base64");
      this.#cluster.patch("Secret", namespace, name, (secret) => ({
        ...secret,
        data: { ...data, token: made },
      }));
    }
  }

  #tokenIn(object: KubeObject): string | undefined {
    const { type, data } = object as TokenSecret;
    const token = type === ofType ? data?.token : undefined;
    return token === undefined ? undefined : Buffer.from(token, "base64").toString();
  }

  #newToken(): string {
    const bytes = Array.from({ length: 32 }, () => Math.floor(this.#random() * 256));
    return Buffer.from(bytes).toString("hex");
  }
}
