import type { Clock } from "../../core/clock.ts";

/** The sessions of one controller, in real time; they are lost with a restart of the world. */
export class Sessions {
  readonly #wall: Clock;
  readonly #most: number;
  readonly #idle: number;
  /** The last use of each session, by its token. */
  readonly #used = new Map<string, { id: string; at: number }>();
  #made = 0;

  constructor(wall: Clock, { most, idle }: { most: number; idle: number }) {
    this.#wall = wall;
    this.#most = most;
    this.#idle = idle;
  }

  /** Opens a session with this token. Returns its id; undefined when there are too many. */
  open(token: string): string | undefined {
    this.#forget();
    if (this.#used.size >= this.#most) return undefined;
    this.#made += 1;
    const id = String(this.#made);
    this.#used.set(token, { id, at: this.#wall.now() });
    return id;
  }

  /** Whether the token's session is open; renews its idle time. */
  use(token: string): boolean {
    this.#forget();
    const session = this.#used.get(token);
    if (session) session.at = this.#wall.now();
    return session !== undefined;
  }

  close(id: string): void {
    for (const [token, session] of this.#used) if (session.id === id) this.#used.delete(token);
  }

  get count(): number {
    this.#forget();
    return this.#used.size;
  }

  #forget(): void {
    const now = this.#wall.now();
    for (const [token, { at }] of this.#used) if (now - at >= this.#idle) this.#used.delete(token);
  }
}
