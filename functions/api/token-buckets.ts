/**
 * The size of a bucket, in seconds of its rate: after that much idle time a caller may send that many requests at
 * once.
 */
export const window = 10;
/** More buckets than a process needs in a window; the least recently used one is dropped. */
const bucketLimit = 10_000;
/** Tolerated rounding error of summed fractions, in milliseconds. */
const rounding = 0.1;

/**
 * Token buckets of one rate, one for each key; a bucket is stored as the time at which it is full
 * again. Written by hand: rate-limiter-flexible counts requests in windows, by the system's clock and a
 * timer for each key.
 */
export class TokenBuckets {
  readonly perSecond: number;
  readonly #fullAt = new Map<string, number>();

  constructor(perSecond: number) {
    this.perSecond = perSecond;
  }

  /** Milliseconds from `now` until the bucket holds a token; 0 when it does. */
  wait(key: string, now: number): number {
    const wait = this.#emptiedBy(key, now) - window * 1000;
    return wait > rounding ? wait : 0;
  }

  /** Takes a token, and answers how many are left. */
  take(key: string, now: number): number {
    const after = this.#emptiedBy(key, now);
    this.#fullAt.delete(key);
    this.#fullAt.set(key, now + after);
    const [oldest] = this.#fullAt.keys();
    if (this.#fullAt.size > bucketLimit && oldest !== undefined) this.#fullAt.delete(oldest);
    return Math.floor((window * 1000 - after + rounding) / this.#each);
  }

  /** How long the bucket takes to refill after a token is taken, in milliseconds. */
  #emptiedBy(key: string, now: number): number {
    return Math.max(0, (this.#fullAt.get(key) ?? 0) - now) + this.#each;
  }

  get #each(): number {
    return 1000 / this.perSecond;
  }
}
