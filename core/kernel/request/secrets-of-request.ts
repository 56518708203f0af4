import type { Deps } from "../deps.ts";
import { begun } from "./begun.ts";

/**
 * The secrets that a request stores before the record that refers to them. Each has a reference of
 * its own; when the request is refused they go again, when it replaces others those go.
 */
export class SecretsOfRequest {
  readonly #secrets: Deps["secrets"];
  readonly #put: string[] = [];
  readonly #puts: Promise<void>[] = [];
  #replaced: string[] = [];

  private constructor(secrets: Deps["secrets"]) {
    this.#secrets = secrets;
  }

  static async around<T extends { replayed?: boolean }>(
    secrets: Deps["secrets"],
    request: (secrets: SecretsOfRequest) => Promise<T>,
  ): Promise<T> {
    const own = new SecretsOfRequest(secrets);
    try {
      const result = await request(own);
      // Tries before the last one, or all when the request had been accepted earlier, left theirs behind.
      await own.#remove(result.replayed ? own.#put : own.#put.slice(0, -1));
      await own.#remove(own.#replaced);
      return result;
    } catch (error) {
      await own.#remove(own.#put);
      throw error;
    }
  }

  async put(secret: { reference: string; value: string }): Promise<void> {
    this.begin(secret);
    await this.stored();
  }

  /** Stores it while the request goes on; `stored` before the record that refers to it. */
  begin({ reference, value }: { reference: string; value: string }): void {
    this.#put.push(reference);
    this.#puts.push(begun(this.#secrets.put(reference, value)));
  }

  /** Until all that has begun is stored. Throws what went wrong. */
  async stored(): Promise<void> {
    await Promise.all(this.#puts);
  }

  replaces(references: string[]): void {
    this.#replaced = references;
  }

  async #remove(references: string[]): Promise<void> {
    // What is still being stored would be there after it was removed.
    await Promise.allSettled(this.#puts);
    for (const reference of references) await this.#secrets.remove(reference);
  }
}
