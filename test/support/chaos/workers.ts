import { AsyncLocalStorage } from "node:async_hooks";
import type { Laptop } from "../laptop.ts";
import { Died } from "../matrix/play.ts";
import type { Outside } from "../outside.ts";
import { takeTurns } from "../scheduled-store.ts";

/** From a start of the process to its end. */
interface Life {
  isOver: boolean;
  end: PromiseWithResolvers<never>;
}

const living = new AsyncLocalStorage<Life>();

function newLife(): Life {
  const end = Promise.withResolvers<never>();
  // Whoever works then hears of it; mostly nobody does.
  end.promise.catch(() => {});
  return { isOver: false, end };
}

/** Workers that are killed all at once: from then on their calls reach nothing, and no answer reaches them. */
export class Workers {
  #life = newLife();

  /** Does the work of a task or of a look, as long as nobody kills it. */
  readonly work = <T>(work: () => Promise<T>): Promise<T> => {
    const life = this.#life;
    return Promise.race([living.run(life, work), life.end.promise]);
  };

  kill(): void {
    const life = this.#life;
    this.#life = newLife();
    life.isOver = true;
    life.end.reject(new Died("the worker was killed"));
  }

  readonly outside: Outside = async (_, send) => {
    refuseTheDead();
    const response = await living.exit(send);
    refuseTheDead();
    return response;
  };

  /** Has the store and the looks of a laptop know the dead. */
  over({ store, deps: { rechecks } }: Laptop): void {
    // Readers of the stream are not the worker whose write they hear of.
    const transact = store.transact.bind(store);
    store.transact = (writes) => living.exit(() => transact(writes));
    takeTurns(store, async () => refuseTheDead());
    this.overLooks(rechecks);
  }

  /** The same for the looks alone, of a laptop whose store is known. */
  overLooks(rechecks: Laptop["deps"]["rechecks"]): void {
    const request = rechecks.request.bind(rechecks);
    rechecks.request = (...look) => this.work(() => request(...look));
  }
}

function refuseTheDead(): void {
  if (living.getStore()?.isOver) throw new Died("the worker was killed");
}
