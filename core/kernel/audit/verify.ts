import { type AuditEntry, type AuditHead, hashOfEntry } from "./entry.ts";

/** Where an audit is not what it was. */
export interface AuditFault {
  chain: number;
  position: number;
  fault: "changed" | "removed" | "inserted" | "cut off";
}

/**
 * Looks through one chain, entry by entry in their order. A changed entry has another hash, or is
 * not the one that its neighbour names; one that was taken out leaves a gap, one that was put in
 * stands in another's place; entries taken off the end are missing before the head. `earlier` is
 * the chain's end as it was noted elsewhere: it finds a chain that was made anew as a whole.
 */
export class ChainVerifier {
  readonly faults: AuditFault[] = [];
  readonly #chain: number;
  readonly #earlier: AuditHead | undefined;
  #position = 0;
  #hash = "";

  constructor(chain: number, earlier?: AuditHead) {
    this.#chain = chain;
    this.#earlier = earlier;
  }

  add(entry: AuditEntry): void {
    const { position, previous, hash } = entry;
    const expected = this.#position + 1;
    if (position > expected) {
      for (let gone = expected; gone < position; gone++) this.#found(gone, "removed");
    } else if (position < expected || entry.chain !== this.#chain) {
      this.#found(position, "inserted");
      return;
    } else if (previous !== this.#hash) {
      // Its own hash may be right: then it was made anew.
      this.#found(Math.max(1, position - 1), "changed");
    }
    const noted = this.#earlier?.position === position ? this.#earlier.hash : hash;
    if (hash !== hashOfEntry(entry) || hash !== noted) this.#found(position, "changed");
    this.#position = position;
    this.#hash = hash;
  }

  /** After the last entry. */
  end({ position, hash }: AuditHead): void {
    if (this.#earlier && this.#earlier.position > position) this.#found(position + 1, "cut off");
    else if (position > this.#position) this.#found(this.#position + 1, "cut off");
    else if (position < this.#position) this.#found(position + 1, "inserted");
    else if (hash !== this.#hash) this.#found(position, "changed");
  }

  #found(position: number, fault: AuditFault["fault"]): void {
    this.faults.push({ chain: this.#chain, position, fault });
  }
}
