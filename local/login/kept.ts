import { randomBytes } from "node:crypto";
import type { Clock } from "../../core/clock.ts";

/**
 * Values under secret names, each with a limited lifetime. They are in memory, so people log in again after a restart.
 */
export class Kept<T> {
  readonly #items = new Map<string, { value: T; ends: number }>();
  readonly #clock: Clock;
  readonly #lifetime: number;
  readonly #newName: () => string;

  /** `lifetime` is in milliseconds. */
  constructor(
    clock: Clock,
    lifetime: number,
    newName = () => randomBytes(32).toString("base64url"),
  ) {
    this.#clock = clock;
    this.#lifetime = lifetime;
    this.#newName = newName;
  }

  put(value: T): string {
    const now = this.#clock.now();
    for (const [name, { ends }] of this.#items) if (ends <= now) this.#items.delete(name);
    const name = this.#newName();
    this.#items.set(name, { value, ends: now + this.#lifetime });
    return name;
  }

  get(name: string): T | undefined {
    const item = this.#items.get(name);
    return item && item.ends > this.#clock.now() ? item.value : undefined;
  }

  /** Reads and removes a value: each works once. */
  take(name: string): T | undefined {
    const value = this.get(name);
    this.#items.delete(name);
    return value;
  }
}
