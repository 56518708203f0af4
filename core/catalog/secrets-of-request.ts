import type { Secrets } from "../secrets/secrets.ts";

/**
 * The secrets that a request stores before the record that refers to them. Each has a reference of
 * its own; when the request is refused they go again, when it replaces others those go.
 */
export class SecretsOfRequest {
  readonly #secrets: Secrets;
  readonly #put: string[] = [];
  #replaced: string[] = [];

  private constructor(secrets: Secrets) {
    this.#secrets = secrets;
  }

  static async around<T extends { replayed?: boolean }>(
    secrets: Secrets,
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

  async put({ reference, value }: { reference: string; value: string }): Promise<void> {
    this.#put.push(reference);
    await this.#secrets.put(reference, value);
  }

  replaces(references: string[]): void {
    this.#replaced = references;
  }

  async #remove(references: string[]): Promise<void> {
    for (const reference of references) await this.#secrets.remove(reference);
  }
}
