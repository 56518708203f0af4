import type * as z from "zod";
import { known } from "./kind.ts";
import type { Kind } from "./object.ts";
import type { ObjectOf } from "./object-of.ts";

/** An object as the API answers it. */
export interface Wire {
  [member: string]: z.core.util.JSONType;
}

/** Members of a status on the wire that are computed with every read, and never stored. */
export type Live = Record<string, unknown>;

/** How the API shows a kind, for functions that answer requests or publish events. */
export interface WireForm<K extends Kind> {
  /** The object as administrators see it in the slipway profile. */
  view(object: ObjectOf[K]): object;
  /** Converts the answer of `view` to OSAC's form. Absent where both are the same, or OSAC has no such kind. */
  osac?(wire: Wire): object;
  /** Converts members of the status that are stored outside the record. Absent where OSAC has none of them. */
  osacLive?(live: Live): Live;
  /** OSAC's events carry objects of this kind. */
  inOsacEvents?: true;
}

export type WireForms = { readonly [K in Kind]?: WireForm<K> };

/** How the API shows a kind. Throws Internal where the process lacks it. */
export function wireFormOf<K extends Kind>(wireForms: WireForms, kind: K): WireForm<K> {
  const form: WireForm<K> | undefined = wireForms[kind];
  return known(kind, form);
}

/** Adapts an `osac` function of wire type `W` to any answer: the kind's `view` always renders a `W`. */
export const osacOf =
  <W extends object>(convert: (wire: W) => object) =>
  (wire: Wire): object =>
    convert(wire as W);
