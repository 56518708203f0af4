import { AppError } from "../../error.ts";
import { begun } from "./begun.ts";
import type { RulesDeps } from "./definition.ts";

/** A text for the secret store, and its reference there. */
export interface Secret {
  reference: string;
  value: string;
}

/**
 * The secrets that a request stores before the record that refers to them. Each secret has a reference
 * of its own. When the request is refused, its secrets are removed; when it replaces older secrets,
 * those are removed.
 */
export class SecretsOfRequest {
  readonly #secrets: RulesDeps["secrets"];
  readonly #put: string[] = [];
  readonly #puts: Promise<void>[] = [];
  /** The number of secrets of earlier tries. */
  #earlier = 0;
  #replaced: string[] = [];

  private constructor(secrets: RulesDeps["secrets"]) {
    this.#secrets = secrets;
  }

  static async around<T extends { replayed?: boolean }>(
    secrets: RulesDeps["secrets"],
    request: (secrets: SecretsOfRequest) => Promise<T>,
  ): Promise<T> {
    const own = new SecretsOfRequest(secrets);
    try {
      const result = await request(own);
      // Removes the secrets of earlier attempts, and all secrets of a repeated request that was accepted before.
      await own.#remove(result.replayed ? own.#put : own.#put.slice(0, own.#earlier));
      await own.#remove(own.#replaced);
      return result;
    } catch (error) {
      await own.#remove(own.#put);
      throw error;
    }
  }

  async put(secret: Secret): Promise<void> {
    this.begin(secret);
    await this.stored();
  }

  /**
   * Begins to store the secrets of one try while the request continues, except those whose storing has begun; await
   * `stored` before writing the records that refer to them.
   */
  begin(...secrets: Secret[]): void {
    const others = secrets.filter(({ reference }) => !this.#put.includes(reference));
    if (others.length > 0) this.#earlier = this.#put.length;
    for (const { reference, value } of others) {
      this.#put.push(reference);
      this.#puts.push(begun(this.#store().put(reference, value)));
    }
  }

  /** Waits until all secrets are stored. Throws the error of the first that failed. */
  async stored(): Promise<void> {
    await Promise.all(this.#puts);
  }

  replaces(references: string[]): void {
    this.#replaced = references;
  }

  async #remove(references: string[]): Promise<void> {
    // Otherwise a secret that is still being stored would outlive its removal.
    await Promise.allSettled(this.#puts);
    for (const reference of references) await this.#store().remove(reference);
  }

  #store(): NonNullable<RulesDeps["secrets"]> {
    if (this.#secrets) return this.#secrets;
    throw new AppError("Internal", "internal error", { detail: "a secret without a secret store" });
  }
}
