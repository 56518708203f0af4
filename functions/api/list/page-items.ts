import type { Kind } from "../../../core/kernel/object/object.ts";
import type { ObjectOf } from "../../../core/kernel/object/object-of.ts";
import type { Wire } from "../../../core/kernel/object/view.ts";
import type { Call } from "../call.ts";
import { view } from "../registry.ts";
import { Room } from "../room.ts";

/** The items of a page: as many as the client wants, as far as they fit into an answer. */
export class PageItems<K extends Kind = Kind> {
  readonly items: Wire[] = [];
  /** The objects that were rendered into the items. */
  readonly objects: ObjectOf[K][] = [];
  readonly #call: Call;
  readonly #limit: number;
  readonly #room = new Room();
  #full = false;

  constructor(call: Call, limit: number) {
    this.#call = call;
    this.#limit = limit;
  }

  /** How many more the client wants; none when the answer is full. */
  get wanted(): number {
    return this.#full ? 0 : this.#limit - this.items.length;
  }

  /** Adds an object; false when the page has no room for it: the next page begins with it. */
  add(object: ObjectOf[K]): boolean {
    if (this.wanted <= 0) return false;
    const wire = view(object, this.#call.view);
    this.#full = !this.#room.take(JSON.stringify(wire));
    if (this.#full) return false;
    this.items.push(wire);
    this.objects.push(object);
    return true;
  }
}
