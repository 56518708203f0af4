import type { ScalarTag } from "yaml";
import { stringifyNumber, stringTag } from "yaml/util";

/**
 * Plain scalars as kubectl reads them (sigs.k8s.io/yaml: YAML 1.1 without base 60, and with dates as text), and written
 * so that readers of YAML 1.1 and 1.2 get the same text.
 */

const tag = (name: string): string => `tag:yaml.org,2002:${name}`;

const nothing: ScalarTag = {
  tag: tag("null"),
  default: true,
  identify: (value) => value === null || value === undefined,
  test: /^(?:~|null|Null|NULL)?$/,
  resolve: () => null,
  stringify: () => "null",
};

const bool: ScalarTag = {
  tag: tag("bool"),
  default: true,
  identify: (value) => typeof value === "boolean",
  test: /^(?:[yYnN]|yes|Yes|YES|no|No|NO|true|True|TRUE|false|False|FALSE|on|On|ON|off|Off|OFF)$/,
  resolve: (text) => /^(?:y|true|on)/i.test(text),
  stringify: ({ value }) => String(value),
};

const prefixed = /^([-+]?)(0[bB]|0[oO]|0[xX]|0(?=[0-7]))(.*)$/;

/**
 * The exact value of an integer in the base of its prefix, by YAML 1.1 or 1.2; undefined if no digit follows
 * the prefix.
 */
function integerIn(text: string): bigint | undefined {
  const [, sign = "", prefix, digits = ""] = prefixed.exec(text) ?? [];
  if (prefix === undefined) return BigInt(text.replace("+", ""));
  if (digits === "") return undefined;
  const value = BigInt(`${prefix === "0" ? "0o" : prefix.toLowerCase()}${digits}`);
  return sign === "-" ? -value : value;
}

const integer: ScalarTag = {
  tag: tag("int"),
  default: true,
  identify: Number.isInteger,
  test: /^(?!_)[-+]?_*(?:0_*[bB][01_]+|0_*[oO][0-7_]+|0_*[xX][0-9a-fA-F_]+|0[0-7_]*|[1-9][0-9_]*)$/,
  resolve(text, onError) {
    const exact = integerIn(text.replaceAll("_", ""));
    if (exact === undefined) return text;
    const value = Number(exact);
    // Large numbers are written with as many digits as identify them.
    const isKept =
      Number.isFinite(value) && (String(value) === `${exact}` || BigInt(value) === exact);
    if (!isKept) onError("the number has more digits than are kept: put it in quotes");
    return value;
  },
  stringify: (item) => withPoint(stringifyNumber(item)),
};

const float: ScalarTag = {
  tag: tag("float"),
  default: true,
  identify: (value) => typeof value === "number",
  test: /^(?!_)[-+]?_*(?:\._*[0-9][0-9_]*|[0-9][0-9_]*(?:\.[0-9_]*)?)(?:[eE]_*[-+]?_*[0-9][0-9_]*)?$/,
  resolve(text) {
    // Go reads a text that begins with a point as text, and accepts underscores only between digits.
    if (text.startsWith(".") && /(?<!\d)_|_(?!\d)/.test(text)) return text;
    const value = Number(text.replaceAll("_", ""));
    return Number.isFinite(value) ? value : text;
  },
  stringify: (item) => withPoint(stringifyNumber(item)),
};

/** YAML 1.1 reads `1e+21` as text. */
const withPoint = (number: string): string => number.replace(/^(-?\d+)e/, "$1.0e");

const infinite: ScalarTag = {
  tag: tag("float"),
  default: true,
  test: /^(?:[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$/,
  resolve(text, onError) {
    onError(`JSON has no number ${text}`);
    return text;
  },
};

/**
 * Line separators only in YAML 1.1, control characters, and characters that change the direction of text in a
 * terminal.
 */
const unprintable =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
  /[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ufffe\uffff]/g;

const escaped = (text: string): string =>
  JSON.stringify(text).replace(
    unprintable,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );

/** In YAML 1.1: the default value of a mapping, its merge key, and a tab, which ends plain text. */
const misread = /^(?:=|<<)$|\t/;

const text: ScalarTag = {
  ...stringTag,
  stringify(item, ...where) {
    const value = String(item.value);
    const isPlain = value.search(unprintable) < 0 && !misread.test(value);
    return isPlain && stringTag.stringify ? stringTag.stringify(item, ...where) : escaped(value);
  },
};

/** The patterns for a plain scalar; the first that matches decides. */
export const scalars: ScalarTag[] = [nothing, bool, integer, infinite, float, text];
