import type { Key, Update, Write } from "../../core/kernel/store/store.ts";
import { type Row, rowOf } from "./bulk.ts";

/**
 * Copies of an object's records. The model's writes are rendered once, with placeholders such as `<name>` for the texts
 * of each copy.
 */
export class Copies {
  readonly #items: Text[][];
  readonly #updates: { pk: Text; sk: Text; add: Record<string, number> }[];

  constructor(writes: Iterable<Write>, blanks: readonly string[]) {
    const all = [...writes];
    const text = (of: string) => new Text(of, blanks);
    this.#items = all.flatMap((write) => {
      if (!("put" in write)) return [];
      const { pk, sk, value, entries } = rowOf(write.put);
      return [[pk, sk, value, ...entries.flat()].map(text)];
    });
    this.#updates = all.flatMap((write) =>
      "update" in write
        ? [{ pk: text(write.update.pk), sk: text(write.update.sk), add: write.add ?? {} }]
        : [],
    );
  }

  /** The items of a copy with these texts; its additions to counters go into `sums`. */
  rows(texts: readonly string[], sums: Sums): Row[] {
    for (const { pk, sk, add } of this.#updates)
      sums.add({ pk: pk.filled(texts), sk: sk.filled(texts) }, add);
    return this.#items.map((item) => {
      const [pk = "", sk = "", value = "", ...keys] = item.map((each) => each.filled(texts));
      const entries: Row["entries"] = [];
      for (let n = 0; n < keys.length; n += 3)
        entries.push([keys[n] ?? "", keys[n + 1] ?? "", keys[n + 2] ?? ""]);
      return { pk, sk, value, entries };
    });
  }
}

/** The sums of additions to counters. */
export class Sums {
  readonly #sums = new Map<string, Required<Pick<Update, "update" | "add">>>();

  add({ pk, sk }: Key, add: Record<string, number>): void {
    const id = `${pk} ${sk}`;
    const sum = this.#sums.get(id) ?? { update: { pk, sk }, add: {} };
    for (const [name, n] of Object.entries(add)) sum.add[name] = (sum.add[name] ?? 0) + n;
    this.#sums.set(id, sum);
  }

  get updates(): Update[] {
    // An update without additions only creates the counters of an unused object.
    return [...this.#sums.values()].filter(({ add }) => Object.keys(add).length > 0);
  }
}

/** A text with placeholders. */
class Text {
  /** Pieces of the text; a number is the index of a placeholder. */
  readonly #pieces: (string | number)[];

  constructor(text: string, blanks: readonly string[]) {
    this.#pieces = text.split(new RegExp(`(${blanks.join("|")})`)).map((piece) => {
      const blank = blanks.indexOf(piece);
      return blank === -1 ? piece : blank;
    });
  }

  filled(texts: readonly string[]): string {
    let filled = "";
    for (const piece of this.#pieces)
      filled += typeof piece === "string" ? piece : (texts[piece] ?? "");
    return filled;
  }
}
