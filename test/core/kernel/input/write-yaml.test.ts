import { execFileSync, spawnSync } from "node:child_process";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { readYaml, writeYaml } from "../../../../core/kernel/input/yaml.ts";
import { tries } from "../../../support/seed.ts";

/** Text that a reader of YAML 1.1, of 1.2 or of both takes for something else, or cannot read, where it is not quoted. */
const texts = [
  ...["y", "Y", "n", "N", "yes", "No", "on", "OFF", "true", "False", "null", "Null", "~", ""],
  ...["0", "-0", "010", "0o17", "08", "0x1F", "0b101", "+0b1", "1_000", "_1", "1.5_5", "5.", ".5"],
  ...["1e3", "1e+3", "1_e3", "9E12345", "1e400", ".inf", "-.INF", ".nan", "+.5", "0X1F"],
  ...["1:30", "1:30:00", "190:20:30.15", "20:30", "2026-11-28", "2001-12-14t21:59:43.10-05:00"],
  ...["2001-12-14 21:59:43.10 -5", "=", "=a", "<<", "---", "...", "--- a", "-", "- a", "?", "? a"],
  ...[
    "!x",
    "&a",
    "*a",
    "|",
    ">",
    "@a",
    "`a",
    "%a",
    "{a",
    "[a",
    "]",
    ",",
    "#a",
    "a #b",
    "a: b",
    "a:",
  ],
  ...[
    "'a'",
    '"a"',
    "\\",
    "a\\nb",
    " a",
    "a ",
    "\ta",
    "a\tb",
    "a  b",
    "\n",
    "a\n",
    "a\nb",
    "a\n\nb\n",
  ],
  ...[
    "  a\n b\n",
    "---\nb",
    "a\n---\nb",
    "...\nb",
    "a\r\nb",
    "\r",
    "word ".repeat(60),
    "x".repeat(300),
  ],
  ...[
    "\0",
    "\x07",
    "\x7f",
    "\x80",
    "a\x9bm",
    "\x85",
    "a\x85b",
    "a\u2028b",
    "\u2029",
    "\u202e",
    "\ufeffa",
  ],
  ...["\ufffe", "\uffff", "\u00a0", "\u200b", "ÿ", "😀", "a\n\u2028b", "key: |"],
];

/** Every place that a text can have. */
const around = (text: string) => ({
  value: text,
  key: { [text]: 1 },
  list: [text, [text]],
  deep: [{ a: text }],
});

const readers: [string, (written: string) => unknown][] = [
  ["kubectl", readYaml],
  ["YAML 1.2", (written) => parse(written)],
  // Its merge of `<<` takes a quoted key for one too; PyYAML and kubectl do not.
  ["YAML 1.1", (written) => parse(written, { version: "1.1", merge: false })],
];

describe.each(readers)("a reader of %s", (_, read) => {
  it.each(texts)("gets %j as it was written", (text) => {
    expect(read(writeYaml(around(text)))).toEqual(around(text));
  });

  it("gets numbers as numbers", () => {
    const numbers = [0, 1, -1, 1.5, 1e21, -1e21, 1e-7, 5e-324, 1e300, Number.MAX_SAFE_INTEGER];
    expect(read(writeYaml(numbers))).toEqual(numbers);
  });

  it("gets any JSON as it was written", () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: "grapheme" }), (value) => {
        expect(JSON.stringify(read(writeYaml({ value })))).toBe(JSON.stringify({ value }));
      }),
      tries(300),
    );
  });
});

/** PyYAML is what cloud-init and Ansible read with. */
const judge = `
import json, sys, yaml
json.dump([yaml.safe_load(text) for text in json.load(sys.stdin)], sys.stdout)
`;
const hasPyYaml = spawnSync("python3", ["-c", "import yaml"]).status === 0;

it.skipIf(!hasPyYaml)(
  "PyYAML gets each text and number as it was written (skipped without it)",
  () => {
    const values = [...texts.map(around), [1e21, 5e-324, 1.5, -1e300]];
    const input = JSON.stringify(values.map(writeYaml));
    const read: unknown = JSON.parse(execFileSync("python3", ["-c", judge], { input }).toString());
    expect(read).toEqual(values);
  },
);

it("quotes nothing that all readers take for text", () => {
  const value = { name: "shop", address: "10.0.0.1", mac: "52:54:00:aa:00:07", version: "4.18.1" };
  expect(writeYaml(value)).toBe(
    "name: shop\naddress: 10.0.0.1\nmac: 52:54:00:aa:00:07\nversion: 4.18.1\n",
  );
});

it("leaves no character in it that steers a terminal", () => {
  expect(writeYaml({ a: "x\x9b31m\u202ey" })).toBe('a: "x\\u009b31m\\u202ey"\n');
});
