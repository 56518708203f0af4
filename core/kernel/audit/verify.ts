import { type AuditEntry, type AuditHead, hashOfEntry } from "./entry.ts";

/** A fault in an audit. */
export interface AuditFault {
  chain: number;
  position: number;
  fault: "changed" | "removed" | "inserted" | "cut off";
}

/**
 * Checks one chain, entry by entry. A changed entry differs from its own hash, or from the hash in its successor. A
 * removed entry leaves a gap. An inserted entry repeats a position. Entries removed from the end are missing before the
 * head. `earlier` is a head that was stored elsewhere; it also reveals a chain that was rebuilt as a whole.
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
      // After a change, somebody may have computed the entry's own hash again.
      this.#found(Math.max(1, position - 1), "changed");
    }
    const noted = this.#earlier?.position === position ? this.#earlier.hash : hash;
    if (hash !== hashOfEntry(entry) || hash !== noted) this.#found(position, "changed");
    this.#position = position;
    this.#hash = hash;
  }

  /** Called after the last entry. */
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
