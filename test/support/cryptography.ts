import { webcrypto } from "node:crypto";

/**
 * What Web Crypto works on now, in threads of its own: a clock in virtual time waits for it, because no
 * timer of its tells when it is done.
 */
class Cryptography {
  readonly #underWay = new Set<Promise<unknown>>();

  constructor() {
    const { subtle } = webcrypto;
    for (const name of operations) {
      // Each has parameters of its own, which are handed on as they are.
      const work: (...given: unknown[]) => Promise<unknown> = subtle[name].bind(subtle) as never;
      Object.defineProperty(subtle, name, {
        configurable: true,
        writable: true,
        value: (...given: unknown[]) => this.#noted(work(...given)),
      });
    }
  }

  /** Waits for all of it. Answers false if there was nothing to wait for. */
  async ended(): Promise<boolean> {
    if (this.#underWay.size === 0) return false;
    await Promise.allSettled(this.#underWay);
    return true;
  }

  #noted(work: Promise<unknown>): Promise<unknown> {
    this.#underWay.add(work);
    const forget = () => this.#underWay.delete(work);
    work.then(forget, forget);
    return work;
  }
}

const operations = [
  "decrypt",
  "deriveBits",
  "deriveKey",
  "digest",
  "encrypt",
  "exportKey",
  "generateKey",
  "importKey",
  "sign",
  "unwrapKey",
  "verify",
  "wrapKey",
] as const;

export const cryptography = new Cryptography();
