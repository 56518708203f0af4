import type { Kind } from "./object.ts";
import type { ObjectOf } from "./object-of.ts";
import type { Wire } from "./view.ts";

/** How the API shows a kind: for whoever answers requests or publishes events. */
export interface WireForm<K extends Kind> {
  /** As administrators see it in the slipway profile. */
  view(object: ObjectOf[K]): object;
  /** Converts the answer of `view` to OSAC's form. Absent where both are the same, or OSAC has no such kind. */
  osac?(wire: Wire): object;
  /** OSAC's events carry it. */
  inOsacEvents?: true;
}

export type WireForms = { readonly [K in Kind]: WireForm<K> };

/** The `osac` of a kind, whose `view` renders a `W`: an answer on the wire is one, whatever its type says. */
export const osacOf =
  <W extends object>(convert: (wire: W) => object) =>
  (wire: Wire): object =>
    convert(wire as W);
