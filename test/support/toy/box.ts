import type { Clock } from "../../../core/clock.ts";
import type { Coat } from "./model.ts";

/** How long paint takes to dry, and to be taken off, in milliseconds. */
export const paintTime = 120_000;

interface Crate {
  blocks: number;
  label?: string;
  colour: string | null;
  /** When the paint is dry, or off. */
  dryAt: number;
}

/** A crate as the box shows it. */
export interface CrateShown extends Coat {
  blocks: number;
  label?: string;
}

/**
 * The system outside that toys are kept in, over HTTP. `/crates/{id}` is a crate with its blocks,
 * `/crates/{id}/coat` its paint, `/crates/{id}/label` its label. Paint takes time. A painted crate
 * cannot be thrown away.
 */
export class Box {
  readonly #clock: Clock;
  readonly #crates = new Map<string, Crate>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The ids of the crates that there are. */
  ids(): string[] {
    return [...this.#crates.keys()];
  }

  crate(id: string): CrateShown | undefined {
    const crate = this.#crates.get(id);
    if (!crate) return undefined;
    const { dryAt, ...rest } = crate;
    return { ...rest, isDry: dryAt <= this.#clock.now() };
  }

  async fetch(url: string, { method, body }: RequestInit): Promise<Response> {
    const [, , id = "", part = "crate"] = new URL(url).pathname.split("/");
    const wanted = method === "PUT" ? JSON.parse(String(body)) : undefined;
    if (part === "crate" && wanted) this.#crates.set(id, { ...this.#known(id), ...wanted });
    const crate = this.#crates.get(id);
    if (!crate) return new Response(null, { status: 404 });
    if (part === "crate" && method === "DELETE") {
      if (crate.colour !== null || crate.dryAt > this.#clock.now())
        return new Response("the crate is painted", { status: 409 });
      this.#crates.delete(id);
      return new Response(null, { status: 204 });
    }
    if (part === "coat" && method !== "GET") this.#paint(crate, wanted?.colour ?? null);
    if (part === "label") crate.label = wanted?.label;
    return Response.json(this.crate(id));
  }

  #known(id: string): Crate {
    return this.#crates.get(id) ?? { blocks: 0, colour: null, dryAt: 0 };
  }

  /** The same colour once more changes nothing. */
  #paint(crate: Crate, colour: string | null): void {
    if (crate.colour === colour) return;
    crate.colour = colour;
    crate.dryAt = this.#clock.now() + paintTime;
  }
}
