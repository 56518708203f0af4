import type { Kind } from "../../../core/kernel/object/object.ts";
import type { ObjectOf } from "../../../core/kernel/object/object-of.ts";
import type { Wire } from "../../../core/kernel/object/wire-form.ts";
import type { Call } from "../call.ts";
import { flagged } from "../parameters.ts";
import { view } from "../registry.ts";
import { Room } from "../room.ts";

/** Whether the client requests only ids. OSAC's pages have no such member. */
export const asksForIds = ({ c, profile }: Call): boolean =>
  flagged(c.req, "ids_only") && profile !== "osac";

/** The items of a page, or only their ids: up to the client's limit, as far as they fit into an answer. */
export class PageItems<K extends Kind = Kind> {
  readonly items: Wire[] = [];
  /** The objects that were rendered into the items. */
  readonly objects: ObjectOf[K][] = [];
  /** The ids of the page, where the client requests only these. */
  readonly ids: string[] | undefined;
  readonly #call: Call;
  readonly #limit: number;
  readonly #room = new Room();
  #full = false;

  constructor(call: Call, limit: number) {
    this.#call = call;
    this.#limit = limit;
    this.ids = asksForIds(call) ? [] : undefined;
  }

  /** How many more items the client requests; 0 when the answer is full. */
  get wanted(): number {
    return this.#full ? 0 : this.#limit - (this.ids ?? this.items).length;
  }

  /** Adds an object; false when the page has no room for it: the next page begins with it. */
  add(object: ObjectOf[K]): boolean {
    if (this.wanted <= 0) return false;
    if (this.ids) return this.ids.push(object.id) > 0;
    const wire = view(object, this.#call.view);
    this.#full = !this.#room.take(JSON.stringify(wire));
    if (this.#full) return false;
    this.items.push(wire);
    this.objects.push(object);
    return true;
  }
}
